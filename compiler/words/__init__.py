"""Names and plurals for people; nothing heavy is loaded for it."""
