"""`nav server status|stop|restart`."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from nav_ls.client import control
from nav_ls.client.connection import ServerError
from nav_ls.client.runtime import obstacle
from nav_ls.client.start import connect

_START_SECONDS = 20.0


def run(action: str, as_json: bool) -> int:
    """Carry out an action; returns the exit code (1: no server was running, or it does not answer)."""
    try:
        return _status(as_json) if action == "status" else _end(action, as_json)
    except ServerError as error:
        print(f"nav: {error}", file=sys.stderr)
        return 1


def _end(action: str, as_json: bool) -> int:
    stopped = control.stop()
    if action == "stop":
        return _say({"stopped": stopped}, "stopped" if stopped else "no server is running", as_json, ok=stopped)
    with connect(time.monotonic() + _START_SECONDS):
        pass
    return _say({"restarted": True}, "restarted", as_json, ok=True)


def _status(as_json: bool) -> int:
    found = control.status()
    if found is None:
        why = obstacle()
        text = (
            f"no server is running, and none can be: {why}"
            if why
            else "no server is running; the next client starts one"
        )
        return _say({"running": False, "obstacle": why}, text, as_json, ok=False)
    text = "\n".join(f"{key}: {value}" for key, value in found.items())
    return _say({"running": True, **found}, text, as_json, ok=True)


def _say(values: dict[str, Any], text: str, as_json: bool, *, ok: bool) -> int:
    sys.stdout.write((json.dumps(values) if as_json else text) + "\n")
    return 0 if ok else 1
