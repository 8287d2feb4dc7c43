"""Gates, rounds and their exact end states; no circuit."""
