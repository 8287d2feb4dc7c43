"""Devices of the users' own, kept so that another process, or a later day, knows them."""

from sqlalchemy import exists, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from compiler.targets.device import device_from_content, is_device, known_device, make_known
from workers.records.tables import DeviceRow


def keep_device(session: Session, target: str) -> None:
    """Record the device that a target's spec names, if it is one and not recorded yet."""
    device = known_device(target)
    if device is None or session.scalar(select(exists().where(DeviceRow.spec == device.spec))):
        return
    try:
        with session.begin_nested():
            session.add(DeviceRow(spec=device.spec, content=device.content))
    except IntegrityError:
        # Another process has recorded the same meanwhile.
        return


def recall_device(session: Session, target: str) -> None:
    """Let this process know the device that a recorded target's spec names, if it is one."""
    if not is_device(target) or known_device(target):
        return
    row = session.get(DeviceRow, target)
    if row is not None:
        make_known(device_from_content(row.content))
