"""Orders: requests to compile, as they are stored and sent."""

import json
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from attrs import evolve, field, fields, frozen

from backends import backend_from_spec, larger_device, target_on
from compiler.compilation import Options
from compiler.compilation.plan import Plan, plan
from compiler.errors import InputError, StichwerkError, TooFewQubitsError
from compiler.targets.device import carried
from games import BEST_ENCODING, DEFAULT_ENCODING
from games.contest import none_of
from games.sources import Source, encodings_meant, read_program
from workers.provenance import revision, versions

if TYPE_CHECKING:
    from workers.records.tables import Order


@frozen
class CompileOrder:
    """A request to compile.

    Args:
        source: a game or a circuit.
        target: spec of the target, complete or without its size.
        options: of the compilation.
        encoding: an encoding's name, `default` or `best`.
        time_limit: seconds after which no further attempt begins; None for no limit.
        batch: a tag that groups records.
        shared: whether the source is compiled with its parameters, once for all their values, and
            gets its values afterwards.
    """

    source: Source
    target: str = field(converter=carried)
    options: Options = field(factory=Options)
    encoding: str = DEFAULT_ENCODING
    time_limit: float | None = None
    batch: str | None = None
    shared: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return all that decides the result besides the source and the target."""
        limited = {} if self.time_limit is None else {"time_limit": self.time_limit}
        values = {"values": dict(self.source.values)} if self.source.values else {}
        shared = {"shared": True} if self.shared else {}
        return {"encoding": self.encoding, **self.options.as_json(), **limited, **values, **shared}

    @property
    def without_values(self) -> "CompileOrder":
        """The same of the source with its parameters, which a shared order is compiled as."""
        return evolve(self, source=evolve(self.source, values=()), shared=False)

    @property
    def digest(self) -> str:
        """SHA-256 of all that decides the result, in hexadecimal.

        The versions of the packages that compile, and of this one, are part of it.
        """
        contents = {
            "name": self.source.name,
            "content": b64encode(self.source.content).decode(),
            "target": self.target,
            "options": self.as_json(),
            "versions": versions(),
            "revision": revision(),
        }
        if self.source.expected:
            contents["expected"] = self.source.expected.decode()
        return sha256(json.dumps(contents, sort_keys=True).encode()).hexdigest()


def order_from_json(source: Source, target: str, options: Mapping[str, Any]) -> CompileOrder:
    """Return the order that was stored as its source, target and `CompileOrder.as_json`."""
    names = {each.name for each in fields(Options)}
    chosen: dict[str, Any] = {name: value for name, value in options.items() if name in names}
    encoding = options.get("encoding", DEFAULT_ENCODING)
    limit, values = options.get("time_limit"), options.get("values", {})
    source = evolve(source, values=tuple(sorted(values.items())))
    shared = options.get("shared", False)
    return CompileOrder(
        source, target, Options(**chosen), encoding, time_limit=limit, shared=shared
    )


def plan_order(order: CompileOrder) -> tuple[CompileOrder, Plan]:
    """Check an order before anything is computed or written.

    Returns:
        The order with no value left to the program, except the encoding of a game in its best
        encoding, and with it the size of its target; and its plan, where the encoding is open
        that of the first one that fits.

    Raises:
        InputError: with the fault.
    """
    names = encodings_meant(order.source, order.encoding)
    if names == (order.encoding,):
        planned = plan(read_program(order.source, order.encoding), order.target, order.options)
        assert isinstance(planned.target, str), "an order's target is a spec"
        settled = evolve(
            order, target=planned.target, encoding=planned.program.encoding, options=planned.options
        )
        return settled, planned
    refused: dict[str, StichwerkError] = {}
    for name in names:
        try:
            settled, planned = plan_order(evolve(order, encoding=name))
        except InputError as error:
            refused[name] = error
        else:
            return evolve(settled, encoding=BEST_ENCODING, target=order.target), planned
    raise none_of(order.source.name, refused)


def plan_on(backend: str, order: CompileOrder) -> tuple[CompileOrder, Plan]:
    """Check an order for a backend, as `plan_order` does.

    Args:
        backend: its spec.
        order: for a target that the backend accepts, or for none: its own then.

    Raises:
        InputError: saying what is wrong with it. If the backend's device is too small, the message
            names one of the same family that is not.
    """
    own = backend_from_spec(backend).default_target()
    order = evolve(order, target=target_on(backend, order.target))
    try:
        return plan_order(order)
    except TooFewQubitsError as error:
        if order.target != own:
            raise
        near = larger_device(backend, error.qubits)
        larger = f"'{near}'" if near else ""
        raise TooFewQubitsError(error.problem, error.qubits, larger, error.otherwise) from error


def stored_order(order: "Order") -> CompileOrder:
    """Return the order of a row."""
    source = Source(order.program, order.source, order.expected or b"")
    return order_from_json(source, order.target, order.options)
