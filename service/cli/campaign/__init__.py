"""The command `campaign`: what is measured again and again."""
