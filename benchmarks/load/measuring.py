"""What is measured of a service, part by part."""

from collections.abc import Callable

from .figures import Load, Measured
from .jobs import alone, beside, submissions, work
from .records import lists, metrics, sweeps
from .service import Service


def measured(service: Service, load: Load, say: Callable[[str], None]) -> Measured:
    """Measure a service whose worker has not been started."""
    found = Measured(service.database)
    for part in (submissions, work, alone, beside, lists, metrics, sweeps):
        part(service, load, found)
        say(f"{service.database}: {part.__name__} done")
    return found
