"""The command `targets`."""

from compiler.targets import target_families
from service.cli.options import Json
from service.cli.output.printing import print_json, print_table


def targets_command(*, as_json: Json = False) -> None:
    """List the targets that circuits can be lowered to.

    A target is written family:size, family:device or family:size:gates, with gates one of cx, cz
    and iqm. Without a size, all and star are as large as the program.

    Example: `stichwerk targets`
    """
    rows = [
        {"target": name, "summary": family.summary, "devices": list(family.devices)}
        for name, family in target_families.items()
    ]
    if as_json:
        print_json({"targets": rows})
        return
    print_table(
        "Targets",
        ("family", "how to write it", "devices"),
        [(r["target"], r["summary"], ", ".join(r["devices"])) for r in rows],
    )
