"""The command `restored`."""

from sqlalchemy.orm import Session

from compiler.words.plurals import how_many
from service.cli.options import Json, ServiceDatabase
from service.cli.output.printing import print_json, say
from service.cli.queue.existing_jobs import existing_records
from service.results.administration import RestoredRecords
from workers.records.backup import doubt_restored


def restored_command(*, database: ServiceDatabase = "", as_json: Json = False) -> None:
    """Say that the records were restored from a backup, before any worker is started.

    Jobs that the backup holds as never submitted may have been submitted since. They are looked
    for by their keys at their providers before they are submitted, so that none is paid for twice.
    Run it with the variables with which the workers run.

    Example: `stichwerk restored`, then `stichwerk up`
    """
    with Session(existing_records(database)) as session:
        marked = doubt_restored(session)
    if as_json:
        print_json(RestoredRecords.model_validate(marked))
        return
    say(
        f"{how_many(marked.open, 'job')} will be looked for at providers before they are "
        f"submitted; {marked.ended:,} that had failed or been cancelled, if they are retried"
    )
