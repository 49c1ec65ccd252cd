"""Faults of the campaign in `benchmarks.faults` that are done to a server."""

from __future__ import annotations

import contextlib
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.processes import memory
from benchmarks.runtime import own_server
from nav_ls.client.call import call
from nav_ls.client.control import stop
from nav_ls.client.framing import frame
from nav_ls.client.start import connect, started

if TYPE_CHECKING:
    from benchmarks.faults import Campaign, Count

PATIENCE = 1800
"""Seconds for one step: a campaign runs beside other work, and how long things take is not what it measures."""

_UNREAD = 400
_MOST_MEMORY = 700_000_000
"""Bytes that a server may use that has a client which never reads."""


def starts(campaign: Campaign, count: Count) -> None:
    """Two servers, or two clients that each want one, at the same moment: one server is there, and both are answered."""
    with _runtime(campaign) as folder:
        count.runs += 1
        before = len(started())
        ours: list[subprocess.Popen[str]] = []
        if campaign.chance.random() < 0.5:
            folder.mkdir(mode=0o700)
            command = [sys.executable, "-P", "-m", "nav_ls.server", str(folder)]
            ours = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
        count.wrong += len(_pids(2)) != 1
        # Clients that come before either of ours listens start one more.  Those that have lost wait for a while.
        servers = [*ours, *started()[before:]]
        until = time.monotonic() + PATIENCE
        while sum(process.poll() is None for process in servers) > 1 and time.monotonic() < until:
            time.sleep(0.05)
        stop(seconds=PATIENCE)
        for process in ours:
            count.tracebacks += "Traceback" in process.communicate(timeout=PATIENCE)[1]
        count.wrong += sorted(process.wait(PATIENCE) for process in servers) != [0] + [1] * (len(servers) - 1)


def leavers(campaign: Campaign, count: Count) -> None:
    """Clients hang up in the middle of a message, of a request, of an answer; the others notice nothing."""
    with _runtime(campaign) as folder:
        for _ in range(10):
            count.runs += 1
            _leave(campaign)
            number = campaign.chance.randrange(40)
            campaign.write(number)
            answer = call(campaign.root, "nav.callers", {"target": f"m{number}.py:f"}, PATIENCE)
            count.wrong += not answer["freshness"]["stale"] and not campaign.is_right(answer, number)
        time.sleep(0.5)
        count.wrong += len(call(None, "nav.server.status", {}, PATIENCE)["clients"]) != 1
        count.tracebacks += "Traceback" in (folder / "server.log").read_text("utf-8", "replace")


def deaf(campaign: Campaign, count: Count) -> None:
    """A client asks again and again and never reads: the others are answered, and memory stays in bounds."""
    with _runtime(campaign) as folder:
        count.runs += 1
        call(campaign.root, "nav.status", {}, PATIENCE)
        with contextlib.closing(socket.socket(socket.AF_UNIX)) as never:
            never.connect(str(folder / "server.sock"))
            never.settimeout(1.0)
            params = {"command": "nav.graph.export", "arguments": [{}, {"root": str(campaign.root)}]}
            folders = [{"uri": campaign.root.as_uri(), "name": "x"}]
            opening = {"processId": None, "capabilities": {}, "workspaceFolders": folders}
            with contextlib.suppress(OSError):
                never.sendall(frame({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": opening}))
                for number in range(1, _UNREAD):
                    request = {"id": number, "method": "workspace/executeCommand", "params": params}
                    never.sendall(frame({"jsonrpc": "2.0"} | request))
            begun = time.monotonic()
            answer = call(campaign.root, "nav.callers", {"target": "m0.py:f"}, PATIENCE)
            count.wrong += time.monotonic() - begun > 30
            count.wrong += not campaign.is_right(answer, 0)
            pid = int(call(None, "nav.server.status", {}, PATIENCE)["pid"])
            count.wrong += memory(pid)[0] > _MOST_MEMORY
        count.tracebacks += "Traceback" in (folder / "server.log").read_text("utf-8", "replace")


def _leave(campaign: Campaign) -> None:
    """Send a request, or a part of it, and be gone."""
    with connect(time.monotonic() + PATIENCE) as connection:
        folders = [{"uri": campaign.root.as_uri(), "name": "x"}]
        opening = {"processId": None, "capabilities": {}, "workspaceFolders": folders}
        params = {"command": "nav.graph.export", "arguments": [{}, {"root": str(campaign.root)}]}
        sent = frame({"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": opening})
        sent += frame({"jsonrpc": "2.0", "method": "initialized", "params": {}})
        sent += frame({"jsonrpc": "2.0", "id": 8, "method": "workspace/executeCommand", "params": params})
        if campaign.chance.random() < 0.5:
            sent = sent[: campaign.chance.randrange(len(sent))]
        connection.socket.sendall(sent)
        time.sleep(campaign.chance.random() * 0.2)


def _pids(clients: int) -> set[int]:
    """Which servers answer so many clients that come at once."""
    found: list[Any] = []

    def ask() -> None:
        found.append(call(None, "nav.server.status", {}, PATIENCE)["pid"])

    threads = [threading.Thread(target=ask) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return set(found) if len(found) == clients else set()


@contextlib.contextmanager
def _runtime(campaign: Campaign) -> Iterator[Path]:
    """The folder of a server of its own; nothing of it is left for the next fault."""
    folder = campaign.base / "r"
    with own_server(folder):
        yield folder / "nav"
    shutil.rmtree(folder)
