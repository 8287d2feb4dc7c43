"""The page that shows jobs live, for people with a token."""
