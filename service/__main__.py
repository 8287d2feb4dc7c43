"""`python -m service` is the command `stichwerk`."""

from service.cli import main

main()
