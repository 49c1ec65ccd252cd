"""One client: its folders, its open buffers, and the requests that it may make."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from nav_ls.client.identity import HELLO, version
from nav_ls.query.snapshot import Snapshot
from nav_ls.server.convert import Converter, Lines
from nav_ls.server.diagnostics import Diagnostics
from nav_ls.server.documents import Change, Document
from nav_ls.server.protocol import Handler, Protocol, shared_converter
from nav_ls.server.uris import Uris, path_of, uri_of
from nav_ls.server.watcher import is_noise
from nav_ls.server.workdone import WorkDone
from nav_ls.store.layout import Layout
from nav_ls.text.errors import NavError

if TYPE_CHECKING:
    from nav_ls.server.host import Host
    from nav_ls.server.repository import Repository

log = logging.getLogger(__name__)

T = TypeVar("T")

STATUS = "nav/status"
"""For status bars: root (a URI) and what `Repository.status` says.  Editors that don't know it ignore it."""


class Folder(NamedTuple):
    """A workspace folder: its URI and path as the editor names it, and what it is in the repository that holds it."""

    uri: str
    path: Path
    repository: Repository
    inner: str
    """The folder's path in the repository, "" for its root."""

    def locate(self, path: Path) -> str | None:
        """A path as the repository names it; None for anything outside."""
        if path.is_relative_to(self.path):
            below = path.relative_to(self.path).as_posix()
            return f"{self.inner}/{below}" if self.inner else below
        root = self.repository.root
        return path.relative_to(root).as_posix() if path.is_relative_to(root) else None


class Place(NamedTuple):
    """Where a request points: `character` counts the client's units."""

    folder: Folder
    path: str
    line: int
    character: int


class View(NamedTuple):
    """What a question is answered from: one state of the index, and the client's way to see it."""

    snapshot: Snapshot
    convert: Converter


class Session(LanguageServer):
    """The server as one client sees it."""

    protocol: Protocol

    def __init__(self, host: Host, write: Callable[[bytes], None], hang_up: Callable[[], None]) -> None:
        super().__init__("nav", version(), protocol_cls=Protocol, converter_factory=shared_converter)
        self.host = host
        self.write = write
        self._hang_up = hang_up
        self._closed = False
        self.folders: list[Folder] = []
        self.documents: dict[str, Document] = {}
        self.encoding = "utf-16"
        self.options: dict[str, Any] = {}
        self.capabilities = types.ClientCapabilities()
        self.client_name = ""
        self.since = time.time()
        self._ready = False
        self._progress: dict[Repository, WorkDone] = {}
        self._told: dict[Repository, dict[str, Any]] = {}
        self._diagnostics = Diagnostics(self)
        from nav_ls.server import features  # they are written in terms of sessions

        self.handlers: dict[str, Handler] = features.bind(self)
        self.handlers[HELLO] = self._hello

    # Life -----------------------------------------------------------------------------------------------------

    @property
    def was_shut_down(self) -> bool:
        """Whether the client asked to shut down before it left."""
        return self.protocol._shutdown

    @property
    def one_shot(self) -> bool:
        """Whether the client is here for a single command: nothing is sent that it did not ask for."""
        return bool(self.options.get("oneShot"))

    def feed(self, data: bytes) -> None:
        """Bytes from the client."""
        if not self._closed:
            self.protocol.feed(data)

    def close(self) -> None:
        """End the session; safe to call again."""
        if self._closed:
            return
        self._closed = True
        self.protocol.cancel_all()
        self._diagnostics.close()
        for folder in self.folders:
            folder.repository.detach(self)
        self._hang_up()
        self.host.session_closed(self)

    def _hello(self, params: Any) -> dict[str, Any]:
        return self.host.hello(params)

    def begin(self, params: types.InitializeParams) -> None:
        """The client has introduced itself."""
        self.client_name = params.client_info.name if params.client_info else ""
        self.capabilities = params.capabilities
        options = params.initialization_options
        self.options = options if isinstance(options, dict) else {}

    def on_initialized(self) -> None:
        """The client takes requests from now on."""
        if self.one_shot:
            return
        self._ready = True
        if get_capability(self.capabilities, "workspace.did_change_watched_files.dynamic_registration", False):
            watch = {"watchers": [{"globPattern": "**/*"}]}
            registration = {"id": "nav-watch", "method": types.WORKSPACE_DID_CHANGE_WATCHED_FILES}
            params = {"registrations": [registration | {"registerOptions": watch}]}
            self.protocol.ask(types.CLIENT_REGISTER_CAPABILITY, params)
        for folder in self.repositories():
            self.repository_changed(folder.repository)

    def repository_changed(self, repository: Repository) -> None:
        """Something goes on in a repository: show it."""
        if not self._ready or self._closed:
            return
        status = repository.status()
        before = self._told.get(repository, {})
        if status == before:
            return
        self._told[repository] = status
        self.protocol.tell(STATUS, {"root": uri_of(repository.root)} | status)
        if get_capability(self.capabilities, "window.work_done_progress", False):
            self._progress.setdefault(repository, WorkDone(self.protocol, repository.root.name)).show(status)
        if self.wants_lenses and status.get("generation") != before.get("generation"):
            self._refresh_lenses()

    def _refresh_lenses(self) -> None:
        if get_capability(self.capabilities, "workspace.code_lens.refresh_support", False):
            self.protocol.ask(types.WORKSPACE_CODE_LENS_REFRESH, None)

    @property
    def knows_links(self) -> bool:
        """Whether the client takes LocationLinks for definitions."""
        return bool(get_capability(self.capabilities, "text_document.definition.link_support", False))

    @property
    def knows_markdown(self) -> bool:
        """Whether hovers may be markdown."""
        formats = get_capability(self.capabilities, "text_document.hover.content_format", [])
        return types.MarkupKind.Markdown in formats

    @property
    def knows_nested_symbols(self) -> bool:
        """Whether the client takes a tree of symbols."""
        name = "text_document.document_symbol.hierarchical_document_symbol_support"
        return bool(get_capability(self.capabilities, name, False))

    @property
    def wants_lenses(self) -> bool:
        """Whether the client has asked for code lenses."""
        return bool(self.options.get("codeLens"))

    def describe(self) -> dict[str, Any]:
        """For `nav server status`."""
        return {
            "name": self.client_name,
            "folders": [str(folder.path) for folder in self.folders],
            "open_files": len(self.documents),
            "seconds": round(time.time() - self.since, 1),
        }

    # Folders --------------------------------------------------------------------------------------------------

    def add_folder(self, uri: str) -> None:
        """Serve a workspace folder; what is no folder of this machine is left alone."""
        path = path_of(uri)
        if path is None or any(folder.path == path for folder in self.folders):
            return
        try:
            if not path.is_dir():
                return
            real = path.resolve()
            layout = Layout.find(real)
        except (OSError, RuntimeError, NavError) as error:
            log.warning("can't open %s: %s", path, error)
            return
        repository = self.host.repository(layout.root)
        inner = real.relative_to(repository.root).as_posix()
        self.folders.append(Folder(uri, path, repository, "" if inner == "." else inner))
        repository.attach(self)
        for document in self.documents.values():
            self._share(document)

    def remove_folder(self, uri: str) -> None:
        """Serve a workspace folder no longer."""
        gone = [folder for folder in self.folders if folder.uri == uri]
        self.folders = [folder for folder in self.folders if folder.uri != uri]
        for folder in gone:
            if all(other.repository is not folder.repository for other in self.folders):
                folder.repository.detach(self)

    def locate(self, uri: str) -> tuple[Folder, str] | None:
        """The folder and the path in its repository that a URI names; None for anything outside."""
        path = path_of(uri)
        if path is None:
            return None
        best: tuple[int, Folder, str] | None = None
        for folder in self.folders:
            inner = folder.locate(path)
            depth = len(folder.repository.root.parts)
            if inner is not None and _is_text(inner) and (best is None or depth > best[0]):
                best = depth, folder, inner
        return None if best is None else best[1:]

    def place(self, params: Any) -> Place | None:
        """Where a textDocument/position request points; None for files outside of the workspace."""
        located = self.locate(params.text_document.uri)
        if located is None:
            return None
        return Place(*located, params.position.line, params.position.character)

    def repositories(self) -> list[Folder]:
        """One folder for each repository that the client has open."""
        return list({id(folder.repository): folder for folder in reversed(self.folders)}.values())[::-1]

    async def ask(self, folder: Folder, question: Callable[[View], T], *, built: bool = False) -> T:
        """The answer of `question` about the repository of a folder, as `Repository.ask`."""

        def asked(snapshot: Snapshot) -> T:
            @cache  # an answer of a hundred places asks for few files
            def lines(path: str) -> Lines | None:
                return None if snapshot.is_ascii(path) else folder.repository.lines(path)

            uris = Uris(uri_of(folder.repository.root), uri_of(folder.path), folder.inner)
            return question(View(snapshot, Converter(uris, self.encoding, lines)))

        return await folder.repository.ask(asked, built=built)

    def plain(self, value: Any) -> Any:
        """One of LSP's values as JSON values."""
        return self.protocol.plain(value)

    def folder_at(self, root: str | None) -> Folder:
        """The folder that a command means: by path or URI, else the first one.  Raises JsonRpcInvalidParams."""
        if root is None:
            if not self.folders:
                raise JsonRpcInvalidParams("there is no workspace folder")
            return self.folders[0]
        wanted = path_of(root) if root.startswith("file:") else Path(root)
        for folder in self.folders:
            if wanted is not None and wanted in (folder.path, folder.repository.root):
                return folder
        raise JsonRpcInvalidParams(f"{root} is no workspace folder of this session")

    # Files --------------------------------------------------------------------------------------------------

    def did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """A buffer was opened."""
        item = params.text_document
        document = Document(item.uri, item.text, item.version)
        self.documents[item.uri] = document
        self._share(document)

    def did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """A buffer was edited."""
        document = self.documents.get(params.text_document.uri)
        if document is None:
            log.warning("didChange for a file that is not open")
            return
        changes = [_change(change) for change in params.content_changes]
        document.apply(changes, params.text_document.version, self.encoding)
        self._share(document)

    def did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """A buffer was closed: the file on disk counts again."""
        document = self.documents.pop(params.text_document.uri, None)
        located = self.locate(params.text_document.uri)
        if document is not None and located is not None:
            folder, path = located
            folder.repository.close_buffer(self, path)

    def did_save(self, params: types.DidSaveTextDocumentParams) -> None:
        """A buffer was written to disk."""
        self._changed_on_disk([params.text_document.uri])
        located = self.locate(params.text_document.uri)
        if located is not None and self.options.get("conform"):
            self._diagnostics.saved(located[0])

    def watched_files_changed(self, params: types.DidChangeWatchedFilesParams) -> None:
        """The client has seen files change."""
        self._changed_on_disk([change.uri for change in params.changes])

    def _changed_on_disk(self, uris: list[str]) -> None:
        changed: dict[Repository, list[str]] = {}
        for uri in uris:
            located = self.locate(uri)
            if located is not None and not is_noise(located[1]):
                changed.setdefault(located[0].repository, []).append(located[1])
        for repository, paths in changed.items():
            repository.files_changed(paths)

    def _share(self, document: Document) -> None:
        located = self.locate(document.uri)
        if located is not None:
            folder, path = located
            folder.repository.set_buffer(self, path, document.text)


def _is_text(path: str) -> bool:
    """Whether a path can be written down; files whose names are no UTF-8 are never indexed."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _change(
    change: types.TextDocumentContentChangePartial | types.TextDocumentContentChangeWholeDocument,
) -> Change:
    if isinstance(change, types.TextDocumentContentChangePartial):
        start, end = change.range.start, change.range.end
        return Change(change.text, (start.line, start.character), (end.line, end.character))
    return Change(change.text)
