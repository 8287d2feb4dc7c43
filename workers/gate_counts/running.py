"""A suite carried out: what is known from before is taken, the rest is compiled side by side."""

from collections.abc import Callable, Iterator, Sequence
from time import perf_counter

from attrs import frozen

from compiler.errors import InputError
from compiler.words.held_inputs import from_zero_suffix
from compiler.words.plurals import how_many
from workers.gate_counts.cache import Cache, cache_key
from workers.gate_counts.compiling import counted, objection
from workers.gate_counts.counts import Counts
from workers.gate_counts.environment import fixed_pool
from workers.gate_counts.suite import Entry, holds_on_any_input
from workers.parallel import each

Progress = Callable[[str], None]


@frozen
class Counted:
    """Counts, and whether they were known from before."""

    counts: Counts
    cached: bool


def count_all(
    entries: Sequence[Entry], processes: int, cache: Cache | None, progress: Progress
) -> list[Counted]:
    """Return the counts of every entry, in their order.

    Everything is checked before the first is compiled.

    Args:
        entries: what is to be counted.
        processes: how many compile side by side; the counts do not depend on it.
        cache: where counts are looked for and kept; None for nowhere.
        progress: hears a line for each that is compiled.

    Raises:
        InputError: if an entry asks for something that does not exist, or the cache cannot be
            written.
        LoweringError: if a process died.
    """
    keys = [cache_key(entry.order) if cache else "" for entry in entries]
    known = {
        place: counts
        for place, key in enumerate(keys)
        if cache and (counts := cache.find(key)) is not None
    }
    missing = [place for place in range(len(entries)) if place not in known]
    found = {place: Counted(counts, cached=True) for place, counts in known.items()}
    if cache:
        number = how_many(len(entries), "entry", "entries")
        progress(f"known from {cache.folder}: {len(known)} of {number}")
    for place, counts in _compiled([entries[place] for place in missing], processes, progress):
        found[missing[place]] = Counted(counts, cached=False)
        if cache and not counts.failed:
            cache.keep(keys[missing[place]], counts)
    return [found[place] for place in range(len(entries))]


def _compiled(
    entries: Sequence[Entry], processes: int, progress: Progress
) -> Iterator[tuple[int, Counts]]:
    if not entries:
        return
    orders = [entry.order for entry in entries]
    started = perf_counter()
    with fixed_pool(min(processes, len(entries))) as pool:
        objections = dict(each(pool, objection, orders))
        for place, entry in enumerate(entries):
            if objections[place]:
                raise InputError(f"{entry.title}: {objections[place]}")
        for done, (place, counts) in enumerate(each(pool, counted, orders), start=1):
            progress(
                f"{entries[place].title}: {_found(entries[place], counts)} "
                f"({done} of {len(entries)}, {perf_counter() - started:.0f} s)"
            )
            yield place, counts


def _found(entry: Entry, counts: Counts) -> str:
    if counts.failed:
        return f"failed: {counts.detail}"
    suffix = from_zero_suffix(from_zero=not holds_on_any_input(entry.key))
    return f"{how_many(counts.two_qubit_gates, 'two-qubit gate')}{suffix}, {counts.verified}"
