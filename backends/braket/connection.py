"""Connections to Amazon Braket, one a region and process, and the meaning of their failures."""

import hashlib
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backends.errors import BackendError, CredentialsError, UnavailableError
from backends.providers.paid_request import about_to_leave, has_left
from backends.providers.retry_policy import POLICIES
from backends.providers.text import UNREADABLE, line
from backends.providers.tls import unsafe

if TYPE_CHECKING:
    from botocore.exceptions import ClientError
    from braket.aws import AwsSession

BUCKET = "STICHWERK_BRAKET_BUCKET"
"""Environment variable with the S3 bucket for results; unset, the SDK's default bucket."""

CONNECT_SECONDS, READ_SECONDS = 3, 10
"""Seconds of each request. A first submission takes four requests, less than a call's limit."""

POLICY = POLICIES["braket"]

_lock = threading.RLock()
_sessions: dict[tuple[str, ...], "AwsSession"] = {}


ACCOUNT = (
    "AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
)  # fmt: skip
"""Variables that lead to credentials."""


def has_account() -> bool:
    """Return whether variables or files lead to credentials, without a request."""
    files = (
        os.environ.get("AWS_SHARED_CREDENTIALS_FILE", "~/.aws/credentials"),
        os.environ.get("AWS_CONFIG_FILE", "~/.aws/config"),
    )
    return any(os.environ.get(name) for name in ACCOUNT) or any(
        Path(file).expanduser().is_file() for file in files
    )


def session_in(region: str) -> "AwsSession":
    """Return this process's session in a region, or in the default one if it is `""`.

    Credentials come from boto3's chain. Requests are never repeated by themselves.
    """
    key = (surroundings(), region)
    with _lock:
        if key not in _sessions:
            _sessions[key] = _session(region)
        return _sessions[key]


def region_of(arn: str) -> str:
    """Return the region in an ARN, nothing if it has none.

    Raises:
        BackendError: if it is no ARN.
    """
    parts = arn.split(":")
    if len(parts) < 6 or parts[0] != "arn":
        raise BackendError(f"'{line(arn)}' is not the ARN of a task")
    return parts[3]


def forget() -> None:
    """Connect anew at the next request, with the credentials of that time."""
    with _lock:
        _sessions.clear()


@contextmanager
def asking(what: str) -> Iterator[None]:
    """Turn the SDK's errors in a block into ours; `what` names the action, for messages.

    Raises:
        CredentialsError: if there are no valid credentials for it.
        UnavailableError: if it is not known whether the request has arrived.
        BackendError: if it was refused.
    """
    from botocore import exceptions
    from botocore.parsers import ResponseParserError

    try:
        yield
    except exceptions.ClientError as error:
        raise _refusal(what, error) from None
    except exceptions.SSLError as error:
        raise UnavailableError(f"{what}: {unsafe(error, 'Amazon')}") from None
    except (exceptions.ConnectionError, exceptions.HTTPClientError) as error:
        raise UnavailableError(f"{what}: {line(error)}") from None
    except (ResponseParserError, exceptions.IncompleteReadError) as error:
        raise UnavailableError(f"{what}: unreadable answer ({type(error).__name__})") from None
    except (exceptions.BotoCoreError, *UNREADABLE) as error:
        if _of_credentials(error):
            forget()
            raise CredentialsError(
                f"{what}: no valid AWS credentials ({type(error).__name__}); set "
                "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"
            ) from None
        if has_left() or not isinstance(error, exceptions.BotoCoreError):
            raise UnavailableError(f"{what}: unreadable answer ({type(error).__name__})") from None
        raise BackendError(f"{what}: {line(error)}") from None


def _session(region: str) -> "AwsSession":
    import boto3
    import botocore.session
    from botocore.config import Config
    from braket.aws import AwsSession

    core = botocore.session.get_session()
    core.set_default_client_config(
        Config(
            connect_timeout=CONNECT_SECONDS,
            read_timeout=READ_SECONDS,
            retries={"total_max_attempts": POLICY.attempts, "mode": "standard"},
        )
    )
    default = os.environ.get("AWS_REGION") or core.get_config_variable("region") or "us-east-1"
    boto = boto3.Session(botocore_session=core, region_name=region or default)
    session = AwsSession(boto, default_bucket=os.environ.get(BUCKET))
    # The SDK makes these clients when first used, which is not safe among threads.
    _ = session.s3_client, session.sts_client
    session.braket_client.meta.events.register(
        "before-send.braket.CreateQuantumTask", lambda **_: about_to_leave()
    )
    return session


def surroundings() -> str:
    """Return a digest of the process and of all that boto3 reads from the environment."""
    named = sorted(f"{k}={v}" for k, v in os.environ.items() if "AWS" in k or "BRAKET" in k)
    return hashlib.sha256("\0".join([str(os.getpid()), *named]).encode()).hexdigest()


def _refusal(what: str, error: "ClientError") -> BackendError:
    details: dict[str, Any] = error.response.get("Error", {})
    answer: dict[str, Any] = error.response.get("ResponseMetadata", {})
    code, status = line(details.get("Code", ""), 80), int(answer.get("HTTPStatusCode", 0))
    message = f"{what}: {code}: {line(details.get('Message', ''))}"
    if POLICY.codes.get(code) is CredentialsError:
        message = f"{what}: AWS does not accept the credentials ({code}); renew them"
    retry_after = answer.get("HTTPHeaders", {}).get("retry-after")
    refusal = POLICY.error(status, message, retry_after, code)
    if isinstance(refusal, CredentialsError):
        forget()
    return refusal


def _of_credentials(error: Exception) -> bool:
    from botocore import exceptions

    return isinstance(
        error,
        exceptions.NoCredentialsError
        | exceptions.PartialCredentialsError
        | exceptions.CredentialRetrievalError
        | exceptions.ProfileNotFound
        | exceptions.SSOError
        | exceptions.TokenRetrievalError
        | exceptions.NoAuthTokenError,
    )
