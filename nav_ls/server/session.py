"""One client: its folders, its open buffers, and the requests that it may make."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from nav_ls.client.identity import HELLO, version
from nav_ls.server import features
from nav_ls.server.convert import Converter
from nav_ls.server.documents import Change, Document
from nav_ls.server.protocol import Handler, Protocol, shared_converter
from nav_ls.server.uris import path_of
from nav_ls.text.git import find_repository

if TYPE_CHECKING:
    from nav_ls.server.host import Host
    from nav_ls.server.repository import Repository

log = logging.getLogger(__name__)


class Folder(NamedTuple):
    """A workspace folder: its URI and path as the editor names it, and the repository that holds it."""

    uri: str
    path: Path
    repository: Repository
    prefix: Path
    """The repository's root as the editor would name it (the folder may lie inside of it, or behind a link)."""


class Place(NamedTuple):
    """A position of a request, in nav's terms: `column` counts bytes."""

    folder: Folder
    path: str
    line: int
    column: int

    @property
    def repository(self) -> Repository:
        """The repository that holds the file."""
        return self.folder.repository


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
        if path is None or not path.is_dir() or any(folder.path == path for folder in self.folders):
            return
        real = path.resolve()
        found = find_repository(real)
        root = found.root if found is not None else real
        repository = self.host.repository(root)
        depth = len(real.relative_to(root).parts)
        # A folder inside the repository: its root, as seen from there (not so if a link leads into its middle).
        prefix = path.parents[depth - 1] if depth else path
        if prefix.resolve() != root:
            prefix = root
        self.folders.append(Folder(uri, path, repository, prefix))
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
        starts = ((start, folder) for folder in self.folders for start in (folder.prefix, folder.repository.root))
        fitting = [(start, folder) for start, folder in starts if path.is_relative_to(start)]
        if not fitting:
            return None
        start, folder = max(fitting, key=lambda one: len(one[0].parts))
        return folder, path.relative_to(start).as_posix()

    def place(self, params: Any) -> Place | None:
        """Where a textDocument/position request points; None for files outside of the workspace."""
        located = self.locate(params.text_document.uri)
        if located is None:
            return None
        folder, path = located
        line, character = params.position.line, params.position.character
        return Place(folder, path, line, self.converter(folder).column(path, line, character))

    def converter(self, folder: Folder) -> Converter:
        """Converts results of a folder's repository for this client."""
        return Converter(folder.prefix, self.encoding, folder.repository.lines)

    def folder_at(self, root: str | None) -> Folder:
        """The folder that a command means: by path or URI, else the first one.  Raises JsonRpcInvalidParams."""
        if root is None:
            if not self.folders:
                raise JsonRpcInvalidParams("there is no workspace folder")
            return self.folders[0]
        wanted = path_of(root) if root.startswith("file:") else Path(root)
        for folder in self.folders:
            if wanted is not None and wanted in (folder.path, folder.prefix, folder.repository.root):
                return folder
        raise JsonRpcInvalidParams(f"{root} is no workspace folder of this session")

    # Buffers --------------------------------------------------------------------------------------------------

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

    def _share(self, document: Document) -> None:
        located = self.locate(document.uri)
        if located is not None:
            folder, path = located
            folder.repository.set_buffer(self, path, document.text)


def _change(
    change: types.TextDocumentContentChangePartial | types.TextDocumentContentChangeWholeDocument,
) -> Change:
    if isinstance(change, types.TextDocumentContentChangePartial):
        start, end = change.range.start, change.range.end
        return Change(change.text, (start.line, start.character), (end.line, end.character))
    return Change(change.text)
