"""Stages of Qiskit's preset pass managers, `layout_method` and `routing_method` "stichwerk".

Qiskit imports this before its first circuit, for every user: all other modules are imported at
their first use.
"""

from qiskit.transpiler import ConditionalController, PassManager
from qiskit.transpiler.passes import SetLayout
from qiskit.transpiler.passmanager_config import PassManagerConfig
from qiskit.transpiler.preset_passmanagers import common
from qiskit.transpiler.preset_passmanagers.plugin import PassManagerStagePlugin


class StichwerkRouting(PassManagerStagePlugin):
    """Entry point `qiskit.transpiler.routing`, `stichwerk`; see `compiler.plugins.routing`."""

    def pass_manager(
        self, pass_manager_config: PassManagerConfig, optimization_level: int | None = None
    ) -> PassManager:
        """Return a pass manager that brings gates to coupled qubits.

        Raises:
            TargetError: if the target does not say which gates are native on which qubits.
        """
        from compiler.plugins.routing import RouteByStichwerk, target_of

        seed, target = pass_manager_config.seed_transpiler, target_of(pass_manager_config)
        return PassManager(
            [RouteByStichwerk(target, seed=seed or 0, thorough=(optimization_level or 0) > 1)]
        )


class StichwerkLayout(PassManagerStagePlugin):
    """Entry point `qiskit.transpiler.layout`, `stichwerk`; see `compiler.plugins.routing`."""

    def pass_manager(
        self, pass_manager_config: PassManagerConfig, optimization_level: int | None = None
    ) -> PassManager:
        """Return a pass manager that lays a circuit out, unless its user has said where.

        Raises:
            TargetError: if the target does not say which gates are native on which qubits.
        """
        from compiler.plugins.routing import LayoutByStichwerk, target_of

        target = target_of(pass_manager_config)
        chosen = LayoutByStichwerk(target, seed=pass_manager_config.seed_transpiler or 0)
        stage = PassManager([SetLayout(pass_manager_config.initial_layout)])
        stage.append(
            ConditionalController(
                [chosen], condition=lambda properties: properties["layout"] is None
            )
        )
        stage += common.generate_embed_passmanager(target.build_coupling_map())
        return stage
