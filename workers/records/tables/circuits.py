"""What is kept of circuits: each once, whoever made it, and however often."""

import zlib
from datetime import datetime

from sqlalchemy import Dialect, LargeBinary, String, TypeDecorator
from sqlalchemy.orm import Mapped, mapped_column

from workers.records.tables.base import Record, now


class Compressed(TypeDecorator[bytes]):
    """Bytes that take less room in the database than here."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Return the bytes as they are kept."""
        return None if value is None else zlib.compress(value, 9)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Return the bytes as they were given."""
        return None if value is None else zlib.decompress(value)


class CircuitRow(Record):
    """A circuit, known by its contents; compilations that chose the same one share it."""

    __tablename__ = "circuits"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    """SHA-256 of the content, in hexadecimal."""
    created_at: Mapped[datetime] = mapped_column(default=now)
    content: Mapped[bytes] = mapped_column(Compressed)
    """QPY."""
