"""The command `schema`."""

from collections.abc import Mapping
from typing import Annotated, Any, get_args

import typer
from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from compiler.errors import InputError
from compiler.near_misses import meant
from service.cli.options import Json
from service.cli.output.printing import json_text, print_result, print_rows
from service.results.administration import (
    PrunedRecords,
    PublishedRecords,
    RestoredRecords,
    TokenList,
)
from service.results.catalog import (
    BackendList,
    GameDetails,
    GameList,
    SchemaList,
    SchemaRow,
    TargetDetails,
    TargetList,
)
from service.results.costs import CostsResult, ScalingResult
from service.results.crossover import CrossoverResult
from service.results.device_runs import FidelityResult
from service.results.games.advice import CardsAdvice
from service.results.games.endless_fun import ExportedRound, RoundEvaluation
from service.results.games.skat import BidAdvice, GameValue, ScoreList
from service.results.games.training import TrainingJob, TrainingResult
from service.results.gates import GatesResult
from service.results.jobs.compilations import CompilationList, CompilationResult
from service.results.jobs.details import JobDetails, JobList
from service.results.jobs.estimates import EstimateResult
from service.results.jobs.runs import BenchResult, JobResult, RunResult
from service.results.jobs.submission import ChangedJobs, RescoredJobs, SubmittedJobs
from service.results.matches import MergedScores, ReplayResult, TournamentResult
from service.results.peers import PeersResult
from service.results.status import StatusResult
from workers.score.document import ScoreFile

RESULTS: Mapping[str, Any] = {
    "advise": CardsAdvice,
    "backends": BackendList,
    "bench": BenchResult,
    "campaign": SubmittedJobs,
    "cancel": ChangedJobs,
    "compile": CompilationResult | CompilationList,
    "costs": CostsResult,
    "crossover": CrossoverResult,
    "estimate": EstimateResult,
    "endless evaluate": RoundEvaluation,
    "fidelity": FidelityResult,
    "games": GameList | GameDetails,
    "gates check": GatesResult,
    "gates update": GatesResult,
    "job": JobDetails,
    "jobs": JobList,
    "peers": PeersResult,
    "qudits export": ExportedRound,
    "records import": PublishedRecords,
    "records prune": PrunedRecords,
    "replay": ReplayResult,
    "rescore": RescoredJobs,
    "restored": RestoredRecords,
    "result": JobResult,
    "retry": ChangedJobs,
    "run": RunResult,
    "scaling": ScalingResult,
    "schema": SchemaList,
    "skat bid": BidAdvice,
    "skat records": ScoreList,
    "skat value": GameValue,
    "score": ScoreFile | SubmittedJobs | MergedScores,
    "status": StatusResult,
    "submit": SubmittedJobs,
    "targets": TargetList | TargetDetails,
    "token list": TokenList,
    "train": TrainingResult | TrainingJob,
    "tournament": TournamentResult,
}
"""Model of a command's output with `--json`, or the union of several."""


class _PublishedSchema(GenerateJsonSchema):
    """Schema without titles that repeat names, which allows fields that a later version adds."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        published = super().model_schema(schema)
        published.pop("title")
        published.pop("additionalProperties", None)
        return published


def schema(command: str) -> dict[str, Any]:
    """Return the JSON Schema of a command's output with `--json`.

    Args:
        command: its words, such as `gates check`.

    Raises:
        InputError: if it has none.
    """
    if command not in RESULTS:
        raise InputError(f"no schema of '{command[:40]}'; {meant(command, sorted(RESULTS))}")
    adapter: TypeAdapter[Any] = TypeAdapter(RESULTS[command])
    models = get_args(RESULTS[command]) or (RESULTS[command],)
    version = max(model.schema_version for model in models)
    return {
        "$schema": GenerateJsonSchema.schema_dialect,
        "$id": f"urn:stichwerk:schema:{command.replace(' ', '-')}:{version}",
        "title": f"Result of 'stichwerk {command} --json'",
        **adapter.json_schema(mode="serialization", schema_generator=_PublishedSchema),
    }


def version_of(published: Mapping[str, Any]) -> int:
    """Return the version of a schema, which its identifier ends with."""
    return int(str(published["$id"]).rpartition(":")[2])


def schema_command(
    *,
    command: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[COMMAND]...",
            help="Words of the command, such as: gates check.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Print the JSON Schema of a command's --json result, or list all schemas.

    Example: `stichwerk schema compile`
    """
    if command:
        print(json_text(schema(" ".join(command))), end="")
        return
    rows = [
        SchemaRow(command=name, version=version_of(of), id=of["$id"], title=of["title"])
        for name in sorted(RESULTS)
        for of in [schema(name)]
    ]
    print_result(SchemaList(schemas=rows), _print, as_json=as_json)


def _print(result: SchemaList) -> None:
    print_rows("Schemas of results", result.schemas, "command", "version", "description=title")
