"""What is raised when something is refused."""

from __future__ import annotations


class SfcBenchError(ValueError):
    """Something was refused.

    Attributes:
        code: a stable code, e.g. ``settings.samples``; it stays the same from version to version.
        field: what is to blame, where one thing is.
        value: what it holds, where that is known.
        allowed: what it may hold, where that is known.
    """

    def __init__(
        self,
        message: str,
        code: str = "",
        field: str | None = None,
        value: str | None = None,
        allowed: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.field = field
        self.value = value
        self.allowed = allowed

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        # A worker's error arrives whole in the process that waits for it.
        return type(self), (str(self), self.code, self.field, self.value, self.allowed)


class MissingKeyError(SfcBenchError, KeyError):
    """A key that a report has not; ``allowed`` names those that it has."""

    def __str__(self) -> str:
        # A KeyError would show the message in quotation marks.
        return str(self.args[0])


def refuse(field: str, value: object, allowed: str, code: str | None = None) -> SfcBenchError:
    """An error that says of a field what it holds and what it may hold."""
    message = f"{field} is {value}; allowed: {allowed}"
    return SfcBenchError(message, code or f"settings.{field}", field, str(value), allowed)
