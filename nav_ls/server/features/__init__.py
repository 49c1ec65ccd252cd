"""What the server answers: one file for each group of requests.

A handler takes the session and the request's params.  It turns positions into nav's with the session's converter,
asks `query` through the repository, and turns the answer back; nothing in here counts code units.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from nav_ls.server.features import calls, commands, lenses, lifecycle, navigation, symbols, type_hierarchy

if TYPE_CHECKING:
    from nav_ls.server.protocol import Handler
    from nav_ls.server.session import Session

_GROUPS: tuple[dict[str, Any], ...] = (
    lifecycle.HANDLERS,
    commands.HANDLERS,
    calls.HANDLERS,
    navigation.HANDLERS,
    symbols.HANDLERS,
    type_hierarchy.HANDLERS,
    lenses.HANDLERS,
)


def bind(session: Session) -> dict[str, Handler]:
    """The handlers of all requests by method, for one session."""
    return {method: functools.partial(handler, session) for group in _GROUPS for method, handler in group.items()}
