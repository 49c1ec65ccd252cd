"""The errors that a user may see.  Each message says what happened and what to do about it."""

from __future__ import annotations

from pathlib import Path


class NavError(Exception):
    """Something that nav cannot do.  `str()` of it is a message for people; `exit_code` is the process's."""

    exit_code = 1


class UsageError(NavError):
    """The request itself is wrong: a bad argument, an unknown name."""

    exit_code = 2


class NotFoundError(NavError):
    """What was asked about is not in the index."""

    exit_code = 3


class AmbiguousError(UsageError):
    """Several definitions fit; the message lists them."""


class BusyError(NavError):
    """Another process holds the writer's lock."""

    exit_code = 4


class StorageError(NavError):
    """The index cannot be read or written: full disk, no permission, a file system without locks."""

    exit_code = 5


class DamagedError(StorageError):
    """A file of the index is corrupt or of another format: it has to be built again."""

    def __init__(self, message: str, path: Path | None = None) -> None:
        super().__init__(message)
        self.path = path


class LostFactsError(StorageError):
    """Facts that a file is known to have are missing or damaged: they have to be extracted again."""


class ConfigError(UsageError):
    """A setting that makes no sense."""


class ServiceError(NavError):
    """A service that was configured does not do what it should: it is away, has had enough, or does not accept us."""

    exit_code = 6


class NotConfiguredError(ConfigError):
    """What was asked for needs a service that is not configured; the message says how to do that."""


class CancelledError(NavError):
    """The one who asked does not want the answer any more."""

    exit_code = 130
