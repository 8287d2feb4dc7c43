"""Games as the Internet Skat Server records them."""
