"""`file:` URIs and paths."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote_to_bytes, urlsplit

_SAFE = "/~!$&'()*+,;=@"


def path_of(uri: str) -> Path | None:
    """The normalised absolute path of a `file:` URI; None for every other scheme, other hosts and nonsense."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme.lower() != "file" or parts.netloc not in ("", "localhost"):
        return None
    # Not url2pathname: it would drop bytes that are no UTF-8, and those are legal in file names.
    raw = os.fsdecode(unquote_to_bytes(parts.path))
    if os.name == "nt":
        raw = raw.lstrip("/")
    if not os.path.isabs(raw) or "\0" in raw:
        return None
    return Path(os.path.normpath(raw))


def uri_of(path: str | Path) -> str:
    """The `file:` URI of an absolute path."""
    raw = os.fsencode(path)
    if os.name == "nt":
        return "file:///" + quote(raw.replace(b"\\", b"/"), safe="/")
    return "file://" + quote(raw, safe=_SAFE)


class Uris(NamedTuple):
    """How one client names the files of a repository.

    It has opened the folder `folder`, which is `inner` in the repository ("" for all of it) and may lie behind a
    link; whatever is not below it goes by `root`, the URI of the repository itself.
    """

    root: str
    folder: str
    inner: str

    def of(self, path: str) -> str:
        """The URI of a path in the repository."""
        if not self.inner:
            return f"{self.folder}/{_quoted(path)}"
        if path.startswith(self.inner + "/"):
            return f"{self.folder}/{_quoted(path[len(self.inner) + 1 :])}"
        return f"{self.root}/{_quoted(path)}"


def _quoted(path: str) -> str:
    return quote(os.fsencode(path), safe=_SAFE)
