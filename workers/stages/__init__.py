"""What is done with a job in each state: one function a kind of work.

Each takes a job that it alone may work on, does the work of its state, and commits the change to
the next one; it returns whether there is more to do at once. What it did not commit before a crash
is done again.
"""
