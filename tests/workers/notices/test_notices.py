"""Notices: recorded once, sent beside the work, tried again, and given up."""

from decimal import Decimal

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from compiler.errors import InputError
from tests.servers.receivers import mail_server, webhook
from workers.clock import database_time
from workers.notices.sending import MAX_ATTEMPTS, Kind, Notifier, add_notice
from workers.records.tables import Job, Notice
from workers.settings import Settings, settings


@pytest.fixture
def hook():
    with webhook() as receiver:
        yield receiver


def notices(engine) -> list[Notice]:
    with Session(engine, expire_on_commit=False) as session:
        return list(session.scalars(select(Notice).order_by(Notice.id)))


def add(context, set_, key="1", kind=Kind.DRIFT):
    (job_id,) = context.submit()
    with Session(context.engine) as session:
        job = session.get_one(Job, job_id)
        for _ in range(2):
            add_notice(session, set_, kind, job, "ibm:boston lost 0.1", key=key)
            session.commit()
    return job_id


def make_due(engine):
    with Session(engine) as session:
        session.connection().execute(
            update(Notice).where(Notice.due_at.is_not(None)).values(due_at=database_time())
        )
        session.commit()


def test_a_notice_is_sent_once_by_each_channel(context, hook):
    with mail_server() as mail:
        set_ = Settings(notify_webhook=hook.url, notify_mail="a@b.example,c@d.example",
                        notify_smtp=mail.url, notify_from="stichwerk@b.example")  # fmt: skip
        job_id = add(context, set_)
        notifier = Notifier(context.engine, set_)
        assert [notifier.send_due(), notifier.send_due()] == [2, 0]
    (document,) = hook.received
    assert (document["kind"], document["job"]) == ("drift", job_id)
    assert document["text"] == "ibm:boston lost 0.1"
    (message,) = mail.received
    assert f"Subject: Stichwerk: drift of job {job_id}" in message
    assert "To: a@b.example, c@d.example" in message
    assert "ibm:boston lost 0.1" in message
    assert all(one.sent_at and one.due_at is None for one in notices(context.engine))


@pytest.mark.parametrize("status", [500, 404, 302])
def test_what_does_not_arrive_is_tried_again_later(context, hook, status):
    hook.statuses = [status]
    set_ = Settings(notify_webhook=hook.url)
    add(context, set_)
    notifier = Notifier(context.engine, set_)
    assert [notifier.send_due(), notifier.send_due()] == [0, 0]
    (notice,) = notices(context.engine)
    assert (notice.attempts, notice.error, notice.sent_at) == (1, "HTTPError", None)
    make_due(context.engine)
    assert notifier.send_due() == 1
    assert len(hook.received) == 1


def test_a_notice_that_never_arrives_is_given_up(context):
    set_ = Settings(notify_webhook="http://127.0.0.1:1/hook?secret=0123",
                    notify_mail="a@b.example", notify_smtp="smtp://127.0.0.1:1")  # fmt: skip
    add(context, set_)
    notifier = Notifier(context.engine, set_)
    for _ in range(MAX_ATTEMPTS + 1):
        make_due(context.engine)
        assert notifier.send_due() == 0
    for notice in notices(context.engine):
        assert (notice.attempts, notice.due_at, notice.sent_at) == (MAX_ATTEMPTS, None, None)
        assert "0123" not in notice.error


def test_without_a_channel_nothing_is_recorded(context):
    add(context, Settings(notify_mail="a@b.example"))
    assert notices(context.engine) == []


def test_a_budget_that_is_spent_is_told_once_a_day(context, hook):
    context = context.with_settings(day_budget_usd=Decimal("1.10"), notify_webhook=hook.url)
    ids = [job_id for _ in range(4) for job_id in context.submit()]
    states = [context.until(job_id).state for job_id in ids]
    assert states == ["done", "done", "failed", "failed"]
    assert Notifier(context.engine, context.settings).send_due() == 1
    (document,) = hook.received
    assert (document["kind"], document["job"]) == ("budget", ids[2])
    assert "of the budget of day" in document["text"]


@pytest.mark.parametrize(
    ("name", "value"), [("WEBHOOK", "file:///etc/passwd"), ("SMTP", "mail.example:25")]
)
def test_other_addresses_are_refused_without_their_text(monkeypatch, name, value):
    monkeypatch.setenv(f"STICHWERK_NOTIFY_{name}", value)
    with pytest.raises(InputError, match=f"STICHWERK_NOTIFY_{name}: must begin with") as error:
        settings()
    assert value not in str(error.value)
