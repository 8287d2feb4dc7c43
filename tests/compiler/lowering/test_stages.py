"""Stages that other packages bring: known to Qiskit by name, imported by whoever names them."""

import subprocess
import sys

import pytest
from qiskit.transpiler import PassManagerConfig
from qiskit.transpiler.preset_passmanagers.builtin_plugins import DefaultTranslationPassManager
from qiskit.transpiler.preset_passmanagers.plugin import PassManagerStagePluginManager
from qiskit_ibm_runtime.transpiler.plugin import IBMDynamicTranslationPlugin, IBMTranslationPlugin

from compiler.targets import target_from_spec

COMPILED = """
import sys
from compiler.compilation import Options, compile
from compiler.program import Program
from compiler.public_circuits import circuit_from_spec
program = Program.of_circuit(circuit_from_spec("ghz:5", 0))
made = compile(program, "star", Options("fast", pipelines=("qiskit",)))
print(made.verified, "qiskit_ibm_runtime" in sys.modules)
"""


def test_nothing_that_talks_to_providers_is_imported_for_a_star():
    done = subprocess.run(
        [sys.executable, "-c", COMPILED], check=True, capture_output=True, text=True
    )
    assert done.stdout.split() == ["exact", "False"]


@pytest.mark.parametrize(
    ("name", "plugin"),
    [
        ("default", DefaultTranslationPassManager),
        ("ibm_backend", IBMTranslationPlugin),
        ("ibm_dynamic_circuits", IBMDynamicTranslationPlugin),
    ],
)
def test_a_late_stage_is_what_its_plugin_makes(name, plugin):
    config = PassManagerConfig(target=target_from_spec("heavy-hex:torino"))
    late = PassManagerStagePluginManager().get_passmanager_stage("translation", name, config, 1)
    assert names_of(late) == names_of(plugin().pass_manager(config, 1))


def names_of(manager):
    return [task.name() for task in manager.to_flow_controller().tasks]
