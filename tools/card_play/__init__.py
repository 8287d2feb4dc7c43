"""The numbers and the pictures of `docs/card-play.md`."""
