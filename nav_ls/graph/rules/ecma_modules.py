"""How import specifiers of TypeScript and JavaScript find files: relative paths, tsconfig, package.json, workspaces."""

from __future__ import annotations

import json
import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from nav_ls.graph.model import Summary
from nav_ls.graph.project import file_key
from nav_ls.graph.rules.base import Layout

if TYPE_CHECKING:
    from nav_ls.graph.infer import Inference
    from nav_ls.graph.project import Project

MANIFESTS_KEY = "ecma-manifests"
"""The key of everything that a package.json or tsconfig.json can change."""
# What runs comes before what only declares it: `fastify.js` beside `fastify.d.ts` has the callers.
_EXTENSIONS = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts", ".d.mts", ".d.cts")
_WRITTEN_AS = {
    ".js": (".ts", ".tsx", ".js", ".jsx", ".d.ts"),
    ".jsx": (".tsx", ".jsx", ".d.ts"),
    ".mjs": (".mts", ".mjs", ".d.mts"),
    ".cjs": (".cts", ".cjs", ".d.cts"),
}
_DECLARED_IN = {".js": ".d.ts", ".jsx": ".d.ts", ".mjs": ".d.mts", ".cjs": ".d.cts"}
_BUILT = frozenset({"dist", "lib", "build", "out", "esm", "cjs", "es", "types", "module", "umd", "output", "typings"})
_CONDITIONS = ("source", "src", "development", "import", "module", "node", "browser", "require", "default", "types")
_STRING_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.S)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")

_VERSION = re.compile(r"[\^~]?(?!0\.0\.0$)(\d+)\.")
"""A version or a range of one major version; `0.0.0` is what is filled in when a package is published."""


class EcmaLayout(Layout):
    """Specifier → file.  Reads manifests when they are first needed."""

    manifests: ClassVar[frozenset[str]] = frozenset({"package.json", "tsconfig.json", "jsconfig.json"})

    def __init__(self, project: Project):
        super().__init__(project)
        self._json: dict[str, dict[str, Any] | None] = {}
        self._configs: dict[str, dict[str, Any]] = {}
        self._packages: dict[str, list[str]] | None = None
        self._held = Counter(folder for path in project.paths_of("ecma") for folder in _folders(path))

    # --- staying right

    def changed(self, path: str, before: Summary | None, after: Summary | None) -> set[str]:
        """The first file in a folder makes the folder's package known, the last one to go takes it along."""
        if (before is None) == (after is None):
            return set()
        touched = False
        for folder in _folders(path):
            held = self._held[folder]
            self._held[folder] = held + (1 if before is None else -1)
            if (held if before is None else held - 1) == 0:
                touched |= self._read(posixpath.join(folder, "package.json")) is not None
        if not touched:
            return set()
        self._packages = None
        return {MANIFESTS_KEY}

    def stale(self, path: str, before: Summary | None, after: Summary | None) -> bool:
        return False  # `changed` keeps it right

    def reads(self, name: str) -> bool:
        # One tsconfig may extend another of any name, such as tsconfig.base.json.
        return super().reads(name) or (name.startswith("tsconfig") and name.endswith(".json"))

    def manifest_changed(self, path: str) -> set[str]:
        """A manifest was edited, appeared or vanished."""
        self._json.clear()
        self._configs.clear()
        self._packages = None
        return {MANIFESTS_KEY}

    # --- looking up

    def resolve(self, infer: Inference, specifier: str, importer: str) -> str | None:
        """The file that a specifier names, as seen from a file; None where it is not in the repository."""
        key = ("file", specifier, posixpath.dirname(importer))
        return infer.query(key, "", lambda: self._resolve(infer, specifier, importer), None)

    def _resolve(self, infer: Inference, specifier: str, importer: str) -> str | None:
        """Files of one folder see the same."""
        specifier = specifier.split("?")[0].split("!")[-1]
        if specifier.startswith((".", "/")):
            base = "" if specifier.startswith("/") else posixpath.dirname(importer)
            return self._relative(infer, posixpath.normpath(posixpath.join(base, specifier.lstrip("/"))), specifier)
        infer.note_key(MANIFESTS_KEY)
        if specifier.startswith("node:"):
            return None
        for base in self._aliases(specifier, importer):
            found = self.file_at(infer, base)
            if found is not None:
                return found
        if specifier.startswith("#"):
            return self._internal(infer, specifier, importer)
        return self._package_file(infer, specifier, importer)

    def _relative(self, infer: Inference, path: str, specifier: str) -> str | None:
        if path.startswith("../") or path == "..":
            return None
        return self.file_at(infer, "" if path == "." else path, folder=specifier.endswith("/"))

    def file_at(self, infer: Inference, base: str, folder: bool = False) -> str | None:
        """The file that a path without (or with another) extension means."""
        for candidate in self._candidates(infer, base, folder):
            if candidate.startswith(".."):
                continue
            infer.note_key(file_key(candidate))
            if self.project.has(candidate):
                return candidate
        return None

    def declaration_of(self, infer: Inference, path: str) -> str | None:
        """The declaration file beside a file of JavaScript."""
        stem, extension = posixpath.splitext(path)
        if extension not in _DECLARED_IN:
            return None
        beside = stem + _DECLARED_IN[extension]
        infer.note_key(file_key(beside))
        return beside if self.project.has(beside) else None

    def _candidates(self, infer: Inference, base: str, folder: bool) -> Iterator[str]:
        stem, extension = posixpath.splitext(base)
        if base and not folder:
            if extension in _WRITTEN_AS:
                yield from (stem + e for e in _WRITTEN_AS[extension])
            elif extension in (".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte"):
                yield base
            yield from (base + e for e in _EXTENSIONS)
        package = self._read(posixpath.join(base, "package.json"))
        if package is not None:
            infer.note_key(MANIFESTS_KEY)
            for entry in self._mains(package):
                yield from self._sources(base, entry)
        yield from (posixpath.join(base, "index" + e) for e in _EXTENSIONS)

    # --- tsconfig

    def _aliases(self, specifier: str, importer: str) -> Iterator[str]:
        """Paths that `paths` and `baseUrl` of the nearest config offer."""
        for folder in _folders(importer):
            for name in ("tsconfig.json", "jsconfig.json"):
                config = self._config(posixpath.join(folder, name))
                if config is not None:
                    yield from _mapped(config, specifier)
                    return

    def _config(self, path: str, depth: int = 0) -> dict[str, Any] | None:
        """baseUrl (a path from the root) and paths of a config, inherited ones included."""
        if path in self._configs:
            return self._configs[path]
        data = self._read(path)
        if data is None:
            return None
        merged: dict[str, Any] = {"base": None, "paths": {}, "root": posixpath.dirname(path)}
        extends = data.get("extends") or []
        for parent in [extends] if isinstance(extends, str) else extends:
            inherited = self._config(self._extended(path, str(parent)), depth + 1) if depth < 8 else None
            if inherited is not None and inherited["base"] is not None:
                merged["base"] = inherited["base"]
            if inherited is not None and inherited["paths"]:
                merged["paths"], merged["root"] = inherited["paths"], inherited["root"]
        options = data.get("compilerOptions")
        options = options if isinstance(options, dict) else {}
        folder = posixpath.dirname(path)
        if isinstance(options.get("baseUrl"), str):
            merged["base"] = _join(folder, options["baseUrl"])
        if isinstance(options.get("paths"), dict):
            merged["paths"], merged["root"] = options["paths"], merged["base"] if merged["base"] is not None else folder
        self._configs[path] = merged
        return merged

    def _extended(self, path: str, parent: str) -> str:
        if not parent.startswith("."):
            return self._package_config(parent)
        target = _join(posixpath.dirname(path), parent)
        if self._read(target) is None and not target.endswith(".json"):
            target += ".json"
        return target

    def _package_config(self, name: str) -> str:
        """`extends: "@scope/config/base.json"`: a config in a package of the workspace."""
        parts = name.split("/")
        head = 2 if name.startswith("@") else 1
        for folder in self._workspace().get("/".join(parts[:head]), ()):
            return posixpath.join(folder, "/".join(parts[head:]) or "tsconfig.json")
        return ""

    # --- packages

    def _workspace(self) -> dict[str, list[str]]:
        """Package name → folders with a package.json of that name."""
        if self._packages is None:
            self._packages = {}
            for folder in sorted(f for f, held in self._held.items() if held > 0):
                package = self._read(posixpath.join(folder, "package.json"))
                if package is not None and isinstance(package.get("name"), str):
                    self._packages.setdefault(package["name"], []).append(folder)
        return self._packages

    def _package_file(self, infer: Inference, specifier: str, importer: str) -> str | None:
        parts = specifier.split("/")
        head = 2 if specifier.startswith("@") else 1
        name, rest = "/".join(parts[:head]), "/".join(parts[head:])
        folders = self._workspace().get(name, [])
        for folder in sorted(folders, key=lambda f: (-_shared(f, importer), f)):
            found = self._in_package(infer, folder, rest) if not self._is_outdated(name, folder, importer) else None
            if found is not None:
                return found
        return None

    def _is_outdated(self, name: str, folder: str, importer: str) -> bool:
        """Does the importer ask for another major version than the workspace has?  Then it comes from outside."""
        package = self._read(posixpath.join(folder, "package.json")) or {}
        own = _VERSION.match(str(package.get("version", "")))
        for above in _folders(importer) if own is not None else ():
            asking = self._read(posixpath.join(above, "package.json")) or {}
            for kind in ("dependencies", "devDependencies", "peerDependencies"):
                listed = asking.get(kind)
                if isinstance(listed, dict) and name in listed:
                    wanted = _VERSION.match(str(listed[name]))
                    return wanted is not None and own is not None and wanted[1] != own[1]
        return False

    def _in_package(self, infer: Inference, folder: str, rest: str) -> str | None:
        package = self._read(posixpath.join(folder, "package.json")) or {}
        exports = package.get("exports")
        if exports is not None:
            for entry in _exported(exports, "./" + rest if rest else "."):
                for base in self._sources(folder, entry):
                    infer.note_key(file_key(base))
                    if self.project.has(base):
                        return base
        bases = [posixpath.join(folder, rest), posixpath.join(folder, "src", rest)] if rest else []
        bases = bases or [folder, posixpath.join(folder, "src")]
        return next((found for base in bases if (found := self.file_at(infer, base)) is not None), None)

    def _mains(self, package: dict[str, Any]) -> list[str]:
        entries = [package.get(k) for k in ("source", "module", "main", "types", "typings", "browser")]
        out = [e for e in entries if isinstance(e, str)]
        if package.get("exports") is not None:
            out += _exported(package["exports"], ".")
        return out

    def _sources(self, folder: str, entry: str) -> Iterator[str]:
        """Files that an entry point of a package may be written in, though it names what a build makes of them."""
        path = entry.removeprefix("./")
        stem = re.sub(r"(\.d)?\.[cm]?[jt]sx?$", "", path)
        parts = stem.split("/")
        while True:
            for lead in ([], ["src"]):
                base = posixpath.join(folder, *lead, *parts)
                if path.endswith((".js", ".mjs", ".cjs", ".jsx")) and not lead and "/".join(parts) == stem:
                    yield posixpath.join(folder, path)
                yield from (base + e for e in _EXTENSIONS)
                yield from (posixpath.join(base, "index" + e) for e in _EXTENSIONS)
            if len(parts) < 2 or parts[0] not in _BUILT:
                return
            parts = parts[1:]

    def _internal(self, infer: Inference, specifier: str, importer: str) -> str | None:
        """`#name`: the `imports` of the nearest package.json."""
        for folder in _folders(importer):
            package = self._read(posixpath.join(folder, "package.json"))
            if package is None:
                continue
            for entry in _exported(package.get("imports") or {}, specifier):
                for base in self._sources(folder, entry):
                    infer.note_key(file_key(base))
                    if self.project.has(base):
                        return base
            return None
        return None

    def _read(self, path: str) -> dict[str, Any] | None:
        if path not in self._json:
            text = self.project.source.text(path) if path else None
            self._json[path] = _parse(text) if text is not None else None
        return self._json[path]


def _parse(text: bytes) -> dict[str, Any] | None:
    """JSON with comments and trailing commas; None where it is no object."""
    source = text.decode("utf-8", "replace").removeprefix("\ufeff")
    try:
        data = json.loads(source)
    except ValueError:
        bare = _STRING_OR_COMMENT.sub(lambda m: m[0] if m[0].startswith('"') else " ", source)
        try:
            data = json.loads(_TRAILING_COMMA.sub(r"\1", bare))
        except ValueError:
            return None
    except RecursionError:
        return None
    return data if isinstance(data, dict) else None


def _folders(path: str) -> Iterator[str]:
    """The folders above a path, the nearest one first; "" is the root."""
    folder = posixpath.dirname(path)
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
    yield ""


def _join(folder: str, relative: str) -> str:
    path = posixpath.normpath(posixpath.join(folder, relative))
    return "" if path == "." else path


def _mapped(config: dict[str, Any], specifier: str) -> Iterator[str]:
    """What `paths` (the longest fitting pattern first) and `baseUrl` make of a specifier."""
    fitting = []
    for pattern, targets in config["paths"].items():
        head, star, tail = pattern.partition("*")
        if specifier == pattern if not star else specifier.startswith(head) and specifier.endswith(tail):
            middle = specifier[len(head) : len(specifier) - len(tail)] if star else ""
            fitting.append((-len(head), pattern, middle, targets))
    for _, _, middle, targets in sorted(fitting, key=lambda f: f[:2]):
        for target in targets if isinstance(targets, list) else []:
            yield _join(config["root"] or "", str(target).replace("*", middle))
    if config["base"] is not None:
        yield _join(config["base"], specifier)


def _exported(table: object, wanted: str) -> list[str]:
    """Paths that an `exports` or `imports` table offers for a name, conditions in the order of use to us."""
    if not isinstance(table, dict) or not any(str(k).startswith((".", "#")) for k in table):
        return _leaves(table, "") if wanted == "." else []
    if wanted in table:
        return _leaves(table[wanted], "")
    fitting = []
    for key, value in table.items():
        head, star, tail = str(key).partition("*")
        if star and wanted.startswith(head) and wanted.endswith(tail) and len(wanted) >= len(head) + len(tail):
            fitting.append((-len(head), str(key), wanted[len(head) : len(wanted) - len(tail)], value))
    for _, _, middle, value in sorted(fitting, key=lambda f: f[:2]):
        return _leaves(value, middle)
    return []


def _leaves(value: object, middle: str) -> list[str]:
    if isinstance(value, str):
        return [value.replace("*", middle)]
    if isinstance(value, list):
        return [leaf for v in value for leaf in _leaves(v, middle)]
    if not isinstance(value, dict):
        return []
    own = [k for k in value if k not in _CONDITIONS]  # custom conditions usually name the sources
    order = [*own, *(k for k in _CONDITIONS if k in value)]
    return [leaf for k in order for leaf in _leaves(value[k], middle)]


def _shared(folder: str, importer: str) -> int:
    """How many folders a package shares with the importer."""
    count = 0
    for a, b in zip(folder.split("/"), importer.split("/"), strict=False):
        if a != b:
            break
        count += 1
    return count
