"""The command `backends`."""

from backends import backends
from service.cli.options import Json
from service.cli.output.printing import print_result, print_rows
from service.results.catalog import BackendList, BackendRow


def backends_command(*, as_json: Json = False) -> None:
    """List the backends that circuits can run on.

    Example: `stichwerk backends`
    """
    rows = [BackendRow(backend=name, summary=of.summary) for name, of in backends.items()]
    print_result(BackendList(backends=rows), _print, as_json=as_json)


def _print(result: BackendList) -> None:
    print_rows("Backends", result.backends, "backend", "what it is=summary")
