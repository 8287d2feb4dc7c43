"""The files that circuits and programs come in and go out as."""
