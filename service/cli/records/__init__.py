"""The commands `records` and `replay`: what is kept, given away, and looked at again."""
