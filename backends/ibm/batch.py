"""Batches of IBM's as fences: one job each, and none once they are closed."""

import logging
from http.client import CONFLICT, NOT_FOUND, UNAUTHORIZED
from typing import Any

from qiskit_ibm_runtime import Batch
from qiskit_ibm_runtime.api.exceptions import RequestsApiError
from qiskit_ibm_runtime.exceptions import IBMRuntimeError

from backends.errors import UnavailableError
from backends.ibm.connection import Connection
from backends.providers.retry_policy import POLICIES
from backends.providers.text import usable_id

log = logging.getLogger(__name__)


def open_batch(connection: Connection) -> str | None:
    """Open a batch and return its id; None if the account's plan refuses it.

    An unused batch costs nothing, and IBM closes it by itself.
    """
    try:
        batch = Batch(connection.device)
    except RequestsApiError as error:
        if _is_refusal(error):
            log.warning("IBM grants no batch (status %d): no fence", error.status_code)
            return None
        raise
    return usable_id(batch.session_id, f"'{connection.device.name}'")


def batch(connection: Connection, fence: str) -> Batch:
    """Return an open batch by its id, without asking IBM about it.

    `Batch.from_id` asks four times before each job.
    """
    batch_ = Batch(connection.device, create_new=False)
    batch_._session_id = fence
    return batch_


def close_batch(connection: Connection, fence: str) -> None:
    """Close a batch, and see that it is closed.

    Raises:
        UnavailableError: if IBM says that it still takes jobs.
    """
    client = connection.service.client
    try:
        client.close_session(fence)
    except IBMRuntimeError as error:
        # Perhaps it is closed already; whether it is, is asked anyway.
        cause = error.__context__
        conflict = isinstance(cause, RequestsApiError) and cause.status_code == CONFLICT
        if not (conflict or _is_refusal(cause)):
            raise
    try:
        details: Any = client.session_details(fence)
    except RequestsApiError as error:
        if error.status_code == NOT_FOUND:
            return
        raise
    if details["state"] != "closed" and details["accepting_jobs"] is not False:
        raise UnavailableError(f"IBM has not closed the batch {fence} yet")


def _is_refusal(error: BaseException | None) -> bool:
    """Return whether IBM refuses for good, such as because the account's plan grants no batches."""
    return (
        isinstance(error, RequestsApiError)
        and error.status_code != UNAUTHORIZED
        and not issubclass(POLICIES["ibm"].error_type(error.status_code), UnavailableError)
    )
