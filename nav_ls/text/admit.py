"""Which files are not read into the index although they are there: secrets, binaries, giants, minified code."""

from __future__ import annotations

import re
from fnmatch import translate
from posixpath import basename

import msgspec

from nav_ls.text.source import is_binary

_SECRET_NAMES = (
    ".env",
    ".env.*",
    "*.env",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pypirc",
    ".htpasswd",
    ".pgpass",
    ".git-credentials",
    "id_rsa*",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.jks",
    "*.keystore",
    "*.kdbx",
    "*.ppk",
    "credentials",
    "credentials.json",
    "service-account*.json",
    "secrets.yml",
    "secrets.yaml",
    "secrets.json",
)
_SECRET = re.compile("|".join(map(translate, _SECRET_NAMES)))
_VENDORED = re.compile(
    r"(?:^|/)(?:_?vendor(?:s|ed)?|third[-_]?party|3rdparty|externals?|node_modules|bower_components|site-packages)/"
    r"|[.-]min\.(?:js|mjs|css)$|[.-]bundle\.js$|(?:^|/)jquery[^/]*\.js$"
)
# Bundles that JavaScript projects commit beside their sources.
_BUILT = re.compile(r"(?:^|/)dist/(?:.*/)?[^/]+\.(?:[cm]?js|d\.[cm]?ts)$")
_PRIVATE_KEY = re.compile(rb"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s+[A-Za-z0-9+/=]{40}")

_MINIFIED = 0.75
"""Share of a file's bytes in overlong lines from which on it is minified.

Seen in real repositories: files that a tool wrote onto one line have 0.93 and more, files that people write around
one long literal (test data, an inlined font) at most 0.6.
"""


class Limits(msgspec.Struct, frozen=True):
    """How large a file and a line may be, in bytes, and how long parsing one file may take, in seconds."""

    file_bytes: int = 2_000_000
    line_bytes: int = 20_000
    parse_seconds: float = 20.0
    worker_bytes: int = 4_000_000_000


def looks_secret(path: str) -> bool:
    """Whether a file's name says that it holds secrets."""
    return _SECRET.match(basename(path).lower()) is not None


def looks_vendored(path: str) -> bool:
    """Whether a file is somebody else's code that was copied into the repository."""
    return _VENDORED.search(path.lower()) is not None


def looks_built(path: str) -> bool:
    """Whether a file is the output of a build: what it says is said in the sources as well."""
    return _BUILT.search(path.lower()) is not None


def refuse(data: bytes, limits: Limits) -> str:
    """Why a file's bytes are not indexed; "" where they are."""
    if len(data) > limits.file_bytes:
        return f"larger than {limits.file_bytes:,} bytes"
    if is_binary(data):
        return "binary"
    if len(data) > limits.line_bytes and _bytes_in_long_lines(data, limits.line_bytes) > len(data) * _MINIFIED:
        return f"minified or generated: mostly lines of more than {limits.line_bytes:,} bytes"
    if len(data) < 20_000 and _PRIVATE_KEY.match(data.lstrip()):
        return "looks like a secret: a private key"
    return ""


def _bytes_in_long_lines(data: bytes, limit: int) -> int:
    return sum(length for length in map(len, data.splitlines()) if length > limit)
