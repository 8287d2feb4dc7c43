"""The last check before a request that may cost money, made where it leaves this machine."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import local


class _Stopped(BaseException):
    """Carries the check's exception through an SDK, which wraps and repeats ordinary exceptions."""

    def __init__(self, reason: BaseException) -> None:
        super().__init__(reason)
        self.reason = reason


def _unchecked() -> None:
    raise RuntimeError("a submission was about to leave without a check")


class _Submission(local):
    """The check of this thread's submission."""

    def __init__(self) -> None:
        self.leave: Callable[[], None] = _unchecked
        self.has_left = False


_submission = _Submission()


@contextmanager
def submitting(leave: Callable[[], None]) -> Iterator[None]:
    """Make a check whenever a submission of this thread leaves within the block.

    Exceptions of the check end the block, unchanged.
    """
    _submission.leave, _submission.has_left = leave, False
    try:
        yield
    except _Stopped as stopped:
        raise stopped.reason  # noqa: B904 - it is told as it is
    finally:
        _submission.leave, _submission.has_left = _unchecked, False


def is_submitting() -> bool:
    """Return whether this thread is within a block of a submission."""
    return _submission.leave is not _unchecked


def has_left() -> bool:
    """Return whether a submission of this thread's block has left, so that it may be accepted."""
    return _submission.has_left


def about_to_leave() -> None:
    """Make this thread's check; nothing may happen between it and the request.

    Raises:
        _Stopped: if the check raises anything, or there is no check.
    """
    try:
        _submission.leave()
    except BaseException as reason:  # noqa: BLE001 - any exception ends the submission
        raise _Stopped(reason) from None
    _submission.has_left = True
