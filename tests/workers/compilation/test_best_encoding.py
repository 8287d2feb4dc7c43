"""Orders that leave the encoding open, and what is recorded of them."""

from attrs import evolve

from compiler.compilation import Options
from compiler.compilation.listener import each_here
from games.sources import Source
from tests.contested import Chain, Flat, Wide, pair_in
from workers.compilation.compiling import compile_order
from workers.compilation.orders import CompileOrder, order_from_json, plan_order
from workers.records.tables import Compilation

BEST = CompileOrder(Source("pair"), "all", Options("fast"), encoding="best")


def test_it_stays_open_with_its_target_until_it_is_carried_out():
    with pair_in(chain=Chain, wide=Wide):
        order, _ = plan_order(BEST)
        star, _ = plan_order(evolve(BEST, target="star"))
    assert (order.encoding, order.target, star.target) == ("best", "all", "star")
    # What else is left to the program is the same in every encoding.
    assert order.options == evolve(BEST.options, any_input=False)
    assert order_from_json(order.source, order.target, order.as_json()) == order
    assert order.digest != evolve(order, encoding="default").digest


def test_each_that_is_compiled_in_full_is_recorded_and_the_winner_answers(session):
    said = []
    with pair_in(chain=Chain, flat=Flat, wide=Wide):
        order, plan = plan_order(evolve(BEST, target="all:8"))
        winner = compile_order(session, order, plan, each_here, said.append)
        other, _ = plan_order(evolve(BEST, target="all:8", encoding="flat"))
    assert (winner.encoding, winner.target) == ("chain", "all:8")
    assert winner.order_digest == order.digest
    wide = (
        "pair needs 30 qubits, target 'all:8' has 8; try 'all:30' or another encoding; "
        "with its qubits re-used (--reuse-qubits) it needs 2"
    )
    rows = session.query(Compilation).order_by(Compilation.id).all()
    figures = {row.encoding: row.chosen.two_qubit_gates for row in rows}
    assert winner.encodings == [
        {"name": "chain", "two_qubit_gates": figures["chain"], "left_out": ""},
        {"name": "flat", "two_qubit_gates": figures["flat"], "left_out": "behind chain"},
        {"name": "wide", "two_qubit_gates": None, "left_out": wide},
    ]
    (loser,) = [row for row in rows if row is not winner]
    assert (loser.order_digest, loser.encodings) == (other.digest, [])
    assert f"pair on all:8: left out wide: {wide}" in said


def test_the_time_limit_holds_for_all_together(session):
    with pair_in(chain=Chain, flat=Flat):
        winner = compile_order(
            session, *plan_order(evolve(BEST, time_limit=0.0)), each_here, lambda _: None
        )
    assert winner.order_digest is None
    assert [one["left_out"] for one in winner.encodings] == [
        "", "not begun: the time limit had passed",
    ]  # fmt: skip
    assert session.query(Compilation).count() == 1
