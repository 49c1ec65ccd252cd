"""initialize: who the client is, what it has open, and what the server can do for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder

from nav_ls.client.identity import version
from nav_ls.server.features import commands
from nav_ls.server.uris import uri_of

if TYPE_CHECKING:
    from nav_ls.server.session import Session


def initialize(session: Session, params: types.InitializeParams) -> dict[str, Any]:
    """Take in the client's folders and wishes; say what there is."""
    session.begin(params)
    encoding = ServerCapabilitiesBuilder.choose_position_encoding(params.capabilities)
    session.encoding = str(getattr(encoding, "value", encoding))
    for uri in _folders(params):
        session.add_folder(uri)
    return {
        "capabilities": _capabilities(session),
        "serverInfo": {"name": "nav", "version": version()},
    }


def _folders(params: types.InitializeParams) -> list[str]:
    if params.workspace_folders:
        return [folder.uri for folder in params.workspace_folders]
    if params.root_uri:
        return [params.root_uri]
    return [uri_of(params.root_path)] if params.root_path else []


def _capabilities(session: Session) -> dict[str, Any]:
    capabilities: dict[str, Any] = {
        "positionEncoding": session.encoding,
        "textDocumentSync": {"openClose": True, "change": 2, "save": {"includeText": False}},
        "documentSymbolProvider": True,
        "workspaceSymbolProvider": {"resolveProvider": True},
        "callHierarchyProvider": True,
        "typeHierarchyProvider": True,
        "definitionProvider": True,
        "referencesProvider": True,
        "implementationProvider": True,
        "documentHighlightProvider": True,
        "hoverProvider": True,
        "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
    }
    if session.wants_lenses:
        capabilities["codeLensProvider"] = {"resolveProvider": True}
    # VS Code's client turns each of these into a command of the editor, where an extension has its own.
    if session.options.get("commands", True):
        capabilities["executeCommandProvider"] = {"commands": commands.names()}
    return capabilities


HANDLERS = {types.INITIALIZE: initialize}
