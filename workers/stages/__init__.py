"""Stages of a job: the work in each state, one function a kind of work.

Each takes a job whose lease it holds, does the work of its state, and commits the change to the
next one; it returns whether there is more to do at once. Work that was not committed before a
crash is repeated.
"""
