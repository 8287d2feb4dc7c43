"""How things are named and counted for people; nothing heavy is loaded for it."""
