"""The commands `gates check` and `gates update`."""
