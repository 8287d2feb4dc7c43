"""OpenQASM 2 and 3: tokens, readers, and a writer whose text is read back."""
