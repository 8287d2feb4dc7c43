"""The command `serve`."""

import logging
import os
import signal
from pathlib import Path
from typing import Annotated

import typer
import uvicorn

from service.api.app import create_app
from service.api.broker import BrokerLink
from service.api.dependencies import Service
from service.api.limits import (
    BACKLOG,
    MAX_HEAD_BYTES,
    Limits,
    RareAcceptErrors,
    allowed_hosts,
    bounded_protocol,
    trusted_proxies,
)
from service.cli.options import LogFormatOption, ServiceDatabase
from service.cli.output.printing import say
from service.cli.servers.log_format import address_of, choose_log_format, listening_socket, log_by
from workers.logs import leave
from workers.queue.broker import send
from workers.queue.lengths import queue_lengths
from workers.records.database import bounded_engine
from workers.sandbox.child_environment import hide_environment
from workers.settings import settings
from workers.untrusted_programs.inspector import Inspector

GRACE_SECONDS = 10
"""Seconds for open requests when the server is told to stop."""


def serve_command(
    *,
    host: str = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535)] = 8000,
    manual: Annotated[Path | None, typer.Option(exists=True, file_okay=False)] = None,
    log_format: LogFormatOption = None,
    database: ServiceDatabase = "",
) -> None:
    """Serve the HTTP API and the pages for play, advice and jobs, until Ctrl-C.

    Requests for jobs need a token of `stichwerk token create`. The server only records jobs;
    `stichwerk worker` runs them.

    Example: `stichwerk serve --port 8080`

    Options:
        host: Address to listen on.
        port: Port to listen on; 0 selects a free port.
        manual: Folder with the documentation as HTML, served at /manual; 'make site' builds it in
            build/site/html.
    """
    hide_environment()
    choose_log_format(log_format)
    if database:
        os.environ["STICHWERK_DATABASE"] = database

    set_ = settings()
    proxies = trusted_proxies(set_.trusted_proxies)
    listening = listening_socket(host, port)
    log_by(set_.log_format)
    # A request is logged by its route: never its query, its headers or its body. And uvicorn warns
    # of every request that is no HTTP, which a stranger may send thousands of.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    logging.getLogger("asyncio").addFilter(RareAcceptErrors())
    service = Service(
        bounded_engine(set_.database),
        set_,
        Inspector(set_),
        BrokerLink(send, queue_lengths(set_.redis)),
    )
    hosts = allowed_hosts(set_.hosts, host)
    limits = Limits.within(set_.connections, set_.connections_per_address)
    config = uvicorn.Config(
        create_app(service, hosts, manual),
        http=bounded_protocol(limits),
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies,
        h11_max_incomplete_event_size=MAX_HEAD_BYTES,
        backlog=BACKLOG,
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
        ws="none",
    )
    # The server ends well on these, then sends them to their former handlers.
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, lambda *_: None)
    say(f"stichwerk: serving on {address_of(listening)}, see /docs")
    server = uvicorn.Server(config)
    server.run(sockets=[listening])
    leave(int(not server.started))
