"""`file:` URIs and paths."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote, unquote_to_bytes, urlsplit


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
    return "file://" + quote(raw, safe="/~!$&'()*+,;=@")
