"""Programs of strangers: refused by their text, or parsed where they do no harm."""
