"""Who is at the other end of a unix socket, as the kernel tells it."""

from __future__ import annotations

import os
import socket
import struct
import sys

# <sys/un.h> of macOS and the BSDs; Python has no names for them.
_SOL_LOCAL = 0
_LOCAL_PEERCRED = 1
_LOCAL_PEERPID = 2
_XUCRED_BYTES = 76


def peer_uid(connection: socket.socket) -> int:
    """The user id of the peer.  Raises OSError where the system can't say."""
    if sys.platform == "linux":
        return _linux(connection)[1]
    credentials = connection.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, _XUCRED_BYTES)
    _version, uid = struct.unpack_from("II", credentials)
    return int(uid)


def peer_pid(connection: socket.socket) -> int:
    """The process id of the peer.  Raises OSError where the system can't say."""
    if sys.platform == "linux":
        return _linux(connection)[0]
    return connection.getsockopt(_SOL_LOCAL, _LOCAL_PEERPID)


def is_same_user(connection: socket.socket) -> bool:
    """Whether the peer runs as this process's user; False when the system can't say."""
    try:
        return peer_uid(connection) == os.getuid()
    except OSError:
        return False


def _linux(connection: socket.socket) -> tuple[int, int, int]:
    layout = struct.Struct("3i")
    pid, uid, gid = layout.unpack(connection.getsockopt(socket.SOL_SOCKET, _SO_PEERCRED, layout.size))
    return pid, uid, gid


_SO_PEERCRED = getattr(socket, "SO_PEERCRED", 17)
