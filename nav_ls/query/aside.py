"""What steps back in search: what exercises or describes code, and code for other operating systems."""

from __future__ import annotations

import re
import sys
from functools import cache, lru_cache

from nav_ls.text.words import STOP, WORD, stem

_SAID = {
    "test": ("test", "spec", "fixtur", "mock"),
    "example": ("exampl", "sampl", "demo", "tutor"),
    "benchmark": ("benchmark", "bench"),
    "docs": ("doc", "document", "docu", "readm", "changelog"),
    "script": ("script",),
    "migration": ("migr", "migrat"),
    "generated": ("generat", "gener"),
    "config": ("config", "configur", "yaml", "yml", "toml", "workflow", "pipelin", "manifest", "dependenc", "packag"),
}
"""By the layers that step back: stems of the words for them.  Of `config`, only files that are no code step back."""
ASIDE_LAYERS = frozenset(_SAID)
_LAYER_SAID = {word: layer for layer, words in _SAID.items() for word in words}
_ASKING = ("which", "what")


def is_aside(layer: str, kind: str) -> bool:
    """Whether something exercises, describes or sets up the code rather than being it."""
    return layer in ASIDE_LAYERS and (layer != "config" or kind == "text")


def asides(text: str) -> frozenset[str]:
    """The layers that step back for a question: all that exercise or describe code, but those that it mentions."""
    return ASIDE_LAYERS - mentioned(text).keys()


def mentioned(text: str) -> dict[str, bool]:
    """The layers that a question says a word for; True: it asks for them.

    A word that goes with the next one asks for that: `tests of the client` are tests, the `test client` is none.
    """
    words = [word.lower() for word in WORD.findall(text)]
    found: dict[str, bool] = {}
    for before, word, after in zip(["", *words], words, [*words[1:], ""], strict=False):
        layer = _LAYER_SAID.get(stem(word))
        if layer:
            found[layer] = found.get(layer, False) or not after or after in STOP or before in _ASKING
    return found


_SYSTEMS = {
    "windows": "win win32 win64 windows msvc",
    "darwin": "darwin macos osx",
    "linux": "linux",
    "bsd": "bsd freebsd openbsd netbsd dragonfly",
    "other": "os390 zos aix sunos solaris haiku cygwin ibmi hurd qnx android ios plan9 wasm js wasip1",
}
_SYSTEM_OF = {name: system for system, names in _SYSTEMS.items() for name in names.split()}
_PATH_WORD = re.compile(r"[A-Za-z0-9]+")


@cache
def _host_system() -> str:
    """The operating system that we run on, in our own words."""
    if sys.platform.startswith(("win", "cygwin")):
        return "windows"
    if sys.platform == "darwin":
        return "darwin"
    return "linux" if sys.platform.startswith("linux") else "bsd"


def is_foreign(path: str, asked: frozenset[str]) -> bool:
    """Whether a path names an operating system that is neither ours nor asked for."""
    named = systems(path)
    return bool(named) and _host_system() not in named and not named & asked


@lru_cache(maxsize=65536)
def systems(text: str) -> frozenset[str]:
    """The operating systems that a text names."""
    return frozenset(_SYSTEM_OF[word] for word in _PATH_WORD.findall(text.lower()) if word in _SYSTEM_OF)
