"""What a `gates.toml` stands for, and what it may not say."""

from decimal import Decimal
from pathlib import Path

import pytest

from compiler.compilation import Options
from compiler.errors import InputError
from compiler.formats.circuit_files import circuit_from_qasm
from games.sources import Source, read_program
from workers.compilation.orders import CompileOrder
from workers.gate_counts.programs import source_of, written
from workers.gate_counts.suite import suite_from_toml

SHARED = Path(__file__).with_name("shared.toml").read_text()


def suite(text, folder):
    """Return the entries of a suite that lies in a folder."""
    return suite_from_toml(text, folder / "gates.toml")


def test_cases_are_products_and_take_over_what_they_share(folder):
    entries = suite(SHARED, folder)
    assert [entry.key for entry in entries] == [
        ("skat-4", "paper", "all", "fast", "seeds=2"),
        ("skat-4", "paper", "star", "fast", "seeds=2"),
        ("skat-4", "lean", "all", "fast", "seeds=2"),
        ("skat-4", "lean", "star", "fast", "seeds=2"),
        (
            "ghz.qasm", "default", "star:5:iqm", "fast",
            "any input", "seeds=2", "without=state-peephole",
        ),
    ]  # fmt: skip
    assert [entry.tolerance.depth for entry in entries] == [Decimal("0.1")] * 4 + [0]
    assert [entry.tolerance.gates for entry in entries] == [Decimal("0.05")] * 4 + [Decimal("0.2")]


def test_an_entry_is_an_order(folder):
    *_, last = suite(SHARED, folder)
    options = Options("fast", seeds=2, without=("state-peephole",), any_input=True)
    assert last.order == CompileOrder(last.order.source, "star:5:iqm", options)
    assert last.order.source.content == (folder / "ghz.qasm").read_bytes()
    assert last.title == "ghz.qasm on star:5:iqm, fast, any input, seeds=2, without=state-peephole"


def test_a_public_circuit_is_measured(folder):
    (entry,) = suite('programs = ["benchmark:qft:5"]', folder)
    source = entry.order.source
    assert source.name == "qft-5.qasm"
    counts = circuit_from_qasm(source.content.decode(), source.name).count_ops()
    assert (counts["measure"], counts["h"], counts["cp"]) == (5, 5, 10)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("programs = [", ": not TOML: "),
        ("", ': names no programs; write programs = ["...]'.replace('"', "")),
        ('progams = ["skat-4"]', ", line 1: 'progams' is not known; did you mean 'programs'?"),
        ('programs = "skat-4"', ", line 1: programs: must be a list, in brackets"),
        ('programs = ["skat-4"]\nseeds = "2"', ", line 2: seeds: must be a whole number"),
        ('[case]\nprograms = ["skat-4"]', ", line 1: case: write [[case]], with two brackets"),
        ('programs = ["skat-4"]\ntolerance = { depth = -0.1 }', ", line 2: tolerance.depth"),
        ('programs = ["skat-4"]\nobjective = "beauty"', ": unknown objective 'beauty'"),
        ('programs = ["skat-4"]\nmethods = ["bst"]', ": unknown method 'bst'"),
        ('programs = ["skat-4", "skat-4"]', ": skat-4 on all, best is named twice"),
        ("[[case]]\ntargets = ['all']", ", line 1: 'case.0.programs' is missing"),
        (f"programs = {['skat-4'] * 1001}", ", line 1: programs"),
    ],
)
def test_bad_suites(text, message, folder):
    with pytest.raises(InputError) as caught:
        suite(text, folder)
    assert str(caught.value).startswith(f"{folder / 'gates.toml'}{message}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("no.qasm", "no.qasm: cannot be read: No such file or directory"),
        ("circuits/a.txt", "circuits/a.txt: a file must end in .toml, .sgf, .qasm, .qpy"),
        ("benchmark:qtf:5", "unknown benchmark 'qtf'; did you mean 'qft'?"),
        ("benchmark:qft", "benchmark 'qft': write qft:N with N from 5 to 133"),
    ],
)
def test_bad_programs(program, message, folder):
    (entry,) = suite(f'programs = ["{program}"]', folder)
    assert message in entry.refusal


def test_circuits_are_counted_for_any_input_unless_they_or_the_suite_say_otherwise(folder):
    """Also those that measure, on the way or in the end; not those that have one input only."""
    head = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[2] q;\n'
    for name, text in (
        ("part", "cx q[0], q[1];"),
        ("dynamic", "bit c; c = measure q[0]; if (c) { x q[1]; }"),
        ("reset", "reset q; cx q[0], q[1];"),
    ):
        (folder / f"{name}.qasm").write_text(head + text)
    programs = ["ghz.qasm", "part.qasm", "dynamic.qasm", "reset.qasm", "skat-4"]
    case = f"[[case]]\nprograms = {programs}\n"
    entries = suite(case, folder)
    asked = [entry.order.options.any_input for entry in entries]
    assert asked == [True, True, True, False, None]
    keys = [entry.key[4:] for entry in entries]
    assert keys == [("any input",)] * 3 + [()] * 2
    from_zero = suite('programs = ["ghz.qasm"]\nany_input = false', folder)
    assert [(one.key[4:], one.order.options.any_input) for one in from_zero] == [((), False)]
    reusing = suite('programs = ["ghz.qasm"]\nreuse_qubits = true', folder)
    assert [one.order.options.any_input for one in reusing] == [False]
    with pytest.raises(InputError, match="is named twice"):
        suite(case + '[[case]]\nprograms = ["ghz.qasm"]\nany_input = true\n', folder)


def test_amplified_games_are_circuits_that_measure_what_the_game_does():
    named = source_of("amplified:lean:win:1:skat-4", Path())
    assert named == Source("amplified:lean:win:1:skat-4")
    source = written(named)
    circuit = read_program(source).circuit
    assert source.name == "amplified-lean-win-1-skat-4.qasm"
    assert {register.name: register.size for register in circuit.cregs} == {
        "dealt": 4, "rank": 2, "taken": 2,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("lean:win:skat-4", "must be amplified:encoding:event:iterates:game"),
        ("lean:win:many:skat-4", "must be amplified:encoding:event:iterates:game"),
        ("lean:win:65:skat-4", "65 iterates are not 0 to 64"),
        ("lean:luck:1:skat-4", "no observable 'luck'"),
        ("lean:win:1:chess", "unknown game 'chess'"),
    ],
)
def test_what_cannot_be_amplified_is_refused(spec, why):
    with pytest.raises(InputError, match=why):
        source_of(f"amplified:{spec}", Path())
