"""What is kept of devices of the users' own."""

from datetime import datetime

from sqlalchemy import LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from workers.records.tables.base import Record, now


class DeviceRow(Record):
    """A device, by the spec that orders, compilations and jobs name it by."""

    __tablename__ = "devices"

    spec: Mapped[str] = mapped_column(String(80), primary_key=True)
    """It ends with a digest of the content."""
    content: Mapped[bytes] = mapped_column(LargeBinary)
    """See `compiler.targets.device.Device.content`."""
    created_at: Mapped[datetime] = mapped_column(default=now)
