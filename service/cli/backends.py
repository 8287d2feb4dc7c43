"""The command `backends`."""

from backends import backends
from service.cli.options import Json
from service.cli.output.printing import print_json, print_table


def backends_command(*, as_json: Json = False) -> None:
    """List the backends that circuits can run on.

    Example: `stichwerk backends`
    """
    rows = [{"backend": name, "summary": family.summary} for name, family in backends.items()]
    if as_json:
        print_json({"backends": rows})
        return
    print_table("Backends", ("backend", "what it is"), [(r["backend"], r["summary"]) for r in rows])
