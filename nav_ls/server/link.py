"""One client's connection on the socket."""

from __future__ import annotations

import asyncio
import logging
import socket
from typing import TYPE_CHECKING, cast

from nav_ls.client.peer import is_same_user

if TYPE_CHECKING:
    from nav_ls.server.host import Host
    from nav_ls.server.session import Session

log = logging.getLogger(__name__)

_MOST_UNREAD = 64 * 1024 * 1024
"""Bytes that may wait for a client that doesn't read; then it is dropped, before it takes the server's memory."""


class Link(asyncio.Protocol):
    """Hands bytes to a session, and its bytes to the socket."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._session: Session | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client has connected; one of another user is turned away."""
        writable = cast(asyncio.WriteTransport, transport)
        if not is_same_user(cast(socket.socket, transport.get_extra_info("socket"))):
            log.warning("turned away a client of another user")
            writable.abort()
            return
        self._session = self._host.open_session(lambda data: _write(writable, data), writable.close)

    def data_received(self, data: bytes) -> None:
        """Bytes from the client."""
        if self._session is not None:
            self._session.feed(data)

    def eof_received(self) -> bool:
        """The client is done sending: its session is over."""
        return False

    def connection_lost(self, _error: Exception | None) -> None:
        """The client is gone, in whichever way."""
        if self._session is not None:
            self._session.close()


def _write(transport: asyncio.WriteTransport, data: bytes) -> None:
    if transport.is_closing():
        return
    if transport.get_write_buffer_size() > _MOST_UNREAD:
        log.warning("dropped a client that does not read its answers")
        transport.abort()
        return
    transport.write(data)
