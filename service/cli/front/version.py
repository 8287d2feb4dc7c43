"""Which Stichwerk this is."""

from importlib.metadata import version


def say_version(asked: bool) -> None:
    """Print it and end, if that is asked."""
    if asked:
        import typer

        print(f"stichwerk {version('stichwerk')}")
        raise typer.Exit
