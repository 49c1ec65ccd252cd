"""Settings of the editors' clients.  The clients' manifests and their documentation are generated from these."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

_VSCODE = msgspec.Meta(extra={"editors": ("vscode",)})
_NEOVIM = msgspec.Meta(extra={"editors": ("neovim",)})
"""What only one of the clients has."""


class ClientServer(msgspec.Struct, frozen=True):
    """Section `server`."""

    path: Annotated[str, msgspec.Meta(extra={"scope": "machine"})] = ""
    """Path of `nav-ls`. Empty: the workspace's `.venv` (VS Code only, in trusted workspaces), then PATH."""


class Palette(msgspec.Struct, frozen=True):
    """Section `palette`: search while one types."""

    debounce: Annotated[int, msgspec.Meta(ge=0, le=2000), _VSCODE] = 120
    """Milliseconds that typing must rest before the search palette asks."""
    limit: Annotated[int, msgspec.Meta(ge=5, le=100)] = 30
    """Results that a search shows."""


class Trace(msgspec.Struct, frozen=True):
    """Section `trace`."""

    server: Annotated[Literal["off", "messages", "verbose"], _VSCODE] = "off"
    """Trace the messages between editor and server in the log."""


class EditorSettings(msgspec.Struct, frozen=True):
    """All of them: `nav.<section>.<name>` in VS Code, `vim.g.nav_<section>_<name>` in Neovim."""

    server: ClientServer = ClientServer()
    enable: Annotated[bool, _NEOVIM] = True
    """Whether the server starts with the first file."""
    beside_others: Annotated[
        Literal["fill", "beside", "commands"],
        msgspec.Meta(
            extra={
                "meanings": (
                    "nav answers where no other server does, so that nothing is shown twice",
                    "nav answers beside the others",
                    "nav answers only through its own commands",
                )
            }
        ),
    ] = "fill"
    """How nav shares definitions, references, call hierarchy and outlines with a language's own server."""
    code_lens: bool = False
    """Show the number of callers above each definition."""
    conform: bool = False
    """After each save, tell what the change since the last commit reinvents, as information beside the lines."""
    palette: Palette = Palette()
    picker: Annotated[Literal["", "telescope", "fzf-lua", "snacks", "mini.pick", "select"], _NEOVIM] = ""
    """What offers the results of a search. Empty: the first of these that is installed; `select` is `vim.ui.select`."""
    trace: Trace = Trace()
