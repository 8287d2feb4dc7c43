"""Stages that other packages bring to Qiskit's pass managers, imported by whoever names them.

Qiskit imports all that are installed before its first circuit. With those of qiskit-ibm-runtime
comes all that talks to IBM, which takes longer to import than everything else together.
"""

from collections.abc import Callable
from importlib.metadata import EntryPoint

from qiskit.transpiler import PassManager
from qiskit.transpiler.passmanager_config import PassManagerConfig
from qiskit.transpiler.preset_passmanagers.plugin import PassManagerStagePlugin
from stevedore import ExtensionManager, NamedExtensionManager

TRANSLATION = "qiskit.transpiler.translation"
"""The only stage that packages besides Qiskit bring plugins for."""


class LateStage(PassManagerStagePlugin):
    """A plugin that is imported when a pass manager is built with it.

    Args:
        imported: imports the plugin, and returns its class.
    """

    def __init__(self, imported: Callable[[], type[PassManagerStagePlugin]]) -> None:
        self._imported = imported

    def pass_manager(
        self, pass_manager_config: PassManagerConfig, optimization_level: int | None = None
    ) -> PassManager | None:
        """Return what the plugin itself returns."""
        return self._imported()().pass_manager(pass_manager_config, optimization_level)


class _LateEntryPoint(EntryPoint):
    """An entry point whose plugin is not imported when it is loaded."""

    def load(self) -> Callable[[], LateStage]:
        return lambda: LateStage(super(_LateEntryPoint, self).load)


def import_late(group: str) -> None:
    """Let Qiskit know a group's plugins by their names only, until one is asked for."""
    entries = NamedExtensionManager(group, names=[]).list_entry_points()
    late: list[EntryPoint] = [
        _LateEntryPoint(entry.name, entry.value, entry.group) for entry in entries
    ]
    ExtensionManager.ENTRY_POINT_CACHE[group] = late
