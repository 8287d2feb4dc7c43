"""What the records say, read in a bounded number of rows."""
