"""What a coding agent starts: asks the nav server what it should know, and prints that in the host's own shape.

    python -I -S shim.py HOST EVENT FORM [SECONDS]

It is one file on the standard library, because its start is most of what a prompt waits for: `-I -S` and a few
built-in modules take 8 ms of CPU, `json` and `socket` alone 15 more.  So the host's JSON goes into the request as
it is, and the answer's text, which is JSON already, goes out as it is.

Whatever happens, it exits with 0 and prints either a whole answer or nothing: a host may show whatever else is
printed to its model, or stop the prompt.  What went wrong stands in `nav-hook.log` in the server's folder.

Without a server it starts one for next time (not so with NAV_SERVER_START=0 in the environment), and asks the index
through a second process within what is left of the deadline.
"""

import os
import sys
import time

try:
    import _signal as signal  # type: ignore[import-not-found]
    import _socket as socket
except ImportError:  # another implementation of Python
    import signal
    import socket  # type: ignore[no-redef]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SECONDS = 1.5
LARGEST_INPUT = 4 * 1024 * 1024
LARGEST_ANSWER = 256 * 1024
_LARGEST_LOG = 1024 * 1024
_LARGEST_HEADER = 8 * 1024
_FOLDERS = ("CLAUDE_PROJECT_DIR", "QWEN_PROJECT_DIR", "GEMINI_PROJECT_DIR")
_TEXT = b'"text":'
_MACHINE = (b'"<task-notification', b'"<system-reminder', b'"<command-name', b'"<local-command')


class Quiet(Exception):
    """There is nothing to print, and why."""


def main(argv: "list[str]") -> int:
    """Answer one event; the exit code is 0 whatever happens."""
    try:
        host, event, form = argv[:3]
        seconds = float(os.environ.get("NAV_HOOK_SECONDS") or (argv[3] if len(argv) > 3 else SECONDS))
        _end_at(seconds)
        deadline = time.monotonic() + seconds
        _print(answer(host, event, form, _stdin(), deadline))
    except Quiet as why:
        _log(argv, str(why))
    except BaseException as error:
        _log(argv, type(error).__name__ + ": " + str(error))
    return 0


def answer(host: str, event: str, form: str, payload: bytes, deadline: float) -> bytes:
    """What to print, empty if nothing.  Raises Quiet, OSError."""
    head, tail = _shape(form)
    cut = payload.strip(b" \t\r\n\xef\xbb\xbf")
    if not (cut.startswith(b"{") and cut.endswith(b"}")):
        raise Quiet("stdin is no JSON object")
    if event == "user-prompt-submit" and _is_machine_made(cut):
        raise Quiet("not written by a person")
    if not _is_indexed(_folder()):
        raise Quiet("no index: run `nav index` in " + _folder())
    asked = _request(host, event, cut)
    literal = _from_server(asked, deadline)
    if literal is None:
        literal = _without_server(asked, deadline)
    if literal in (b"", b'""'):
        return b""
    return _unquote(literal) if form == "text" else head + literal + tail


def _shape(form: str) -> "tuple[bytes, bytes]":
    kind, _, name = form.partition(":")
    if kind == "specific":
        return b'{"hookSpecificOutput":{"hookEventName":"' + name.encode() + b'","additionalContext":', b"}}\n"
    if kind == "flat":
        return b'{"' + name.encode() + b'":', b"}\n"
    if kind == "proceed":
        return b'{"continue":true,"' + name.encode() + b'":', b"}\n"
    if kind == "text":
        return b"", b""
    raise Quiet("unknown form " + form)


def _stdin() -> bytes:
    """All of it: a host that cannot write its whole input may take that for a failure."""
    parts: list[bytes] = []
    size = 0
    while part := os.read(0, 1 << 20):
        size += len(part)
        if size <= LARGEST_INPUT:
            parts.append(part)
    if size > LARGEST_INPUT:
        raise Quiet("stdin is longer than " + str(LARGEST_INPUT) + " bytes")
    return b"".join(parts)


def _print(data: bytes) -> None:
    # Once this has begun, the clock must not stop it half way.
    signal.setitimer(signal.ITIMER_REAL, 0)
    while data:
        data = data[os.write(1, data) :]


def _end_at(seconds: float) -> None:
    def end(*_: object) -> None:
        _log(sys.argv[1:], "no answer within " + str(seconds) + " s")
        os._exit(0)

    signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, max(0.05, seconds))


def _is_machine_made(payload: bytes) -> bool:
    """Whether the prompt plainly is one of a client's own; the server knows the less plain ones."""
    start = payload.find(b'"prompt":')
    return start >= 0 and payload[start + 9 :].lstrip()[:19].startswith(_MACHINE)


def _folder() -> str:
    """Where the host works."""
    for name in _FOLDERS:
        folder = os.environ.get(name)
        if folder:
            return folder
    return os.getcwd()


def _is_indexed(folder: str) -> bool:
    """Whether somebody has asked for an index here: the server would make one of any folder that it is shown."""
    while True:
        if os.path.isdir(folder + "/.nav"):
            return True
        marker = folder + "/.git"
        if os.path.isdir(marker):
            return False
        if os.path.isfile(marker):
            # A linked work tree: its index lies with the main one.
            with open(marker, encoding="utf-8", errors="surrogateescape") as file:
                target = os.path.join(folder, file.read(4096).partition("gitdir:")[2].strip())
            main = target.partition("/.git/worktrees/")[0]
            return os.path.isdir(main + "/.nav")
        parent = os.path.dirname(folder)
        if parent == folder:
            return False
        folder = parent


# The server ---------------------------------------------------------------------------------------------------


def _request(host: str, event: str, payload: bytes) -> bytes:
    """The arguments of `nav.hook` as JSON, around the host's own JSON."""
    within = b"true" if os.environ.get("CURSOR_VERSION") else b"false"
    return b"".join(
        (
            b'{"host":' + _quote(host) + b',"event":' + _quote(event) + b',"folder":' + _quote(_folder()),
            b',"in_cursor":' + within + b',"payload":' + payload + b"}",
        )
    )


def _from_server(asked: bytes, deadline: float) -> "bytes | None":
    """The answer of the server; None where there is none, or none that knows what is asked."""
    server = _connect()
    if server is None:
        if os.environ.get("NAV_SERVER_START") != "0":
            _start_server()
        return None
    try:
        return _ask(server, asked, deadline)
    except (Quiet, OSError) as why:
        _log(sys.argv[1:], str(why))
        return None
    finally:
        server.close()


def _connect() -> "Any":
    path = _socket_path()
    if path is None:
        return None
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        server.connect(path)
    except (FileNotFoundError, ConnectionRefusedError):
        server.close()
        return None
    return server


def _ask(server: "Any", asked: bytes, deadline: float) -> bytes:
    """The `text` of the answer as a JSON string."""
    workspace = b'[{"name":"","uri":' + _quote(_uri(_folder())) + b"}]"
    messages = (
        b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,'
        b'"workspaceFolders":' + workspace + b',"clientInfo":{"name":"nav hook"},'
        b'"capabilities":{},"initializationOptions":{"oneShot":true}}}',
        b'{"jsonrpc":"2.0","method":"initialized","params":{}}',
        b'{"jsonrpc":"2.0","id":2,"method":"workspace/executeCommand","params":'
        b'{"command":"nav.hook","arguments":[' + asked + b"]}}",
    )
    server.settimeout(max(0.01, deadline - time.monotonic()))
    server.sendall(b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) for body in messages))
    buffer = b""
    while True:
        end = buffer.find(b"\r\n\r\n")
        length = _content_length(buffer[:end]) if end >= 0 else -1
        if end < 0 or len(buffer) < end + 4 + length:
            if end < 0 and len(buffer) > _LARGEST_HEADER:
                raise Quiet("the server does not speak LSP")
            data = server.recv(65536)
            if not data:
                raise Quiet("the server hung up")
            buffer += data
            continue
        body, buffer = buffer[end + 4 : end + 4 + length], buffer[end + 4 + length :]
        if b'"id":2' in body[:40] and b'"method"' not in body[:60]:
            return _text_of(body)
        if b'"id":1' in body[:40] and b'"error":' in body[:60]:
            raise Quiet("the server refused: " + body[:300].decode("utf-8", "replace"))


def _content_length(header: bytes) -> int:
    for line in header.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            length = int(value)
            if length <= 16 * LARGEST_ANSWER:
                return length
    raise Quiet("the server's answer has no sensible length")


def _text_of(body: bytes) -> bytes:
    """The JSON string behind `"text":`, with its quotes."""
    start = body.find(_TEXT)
    if start < 0:
        raise Quiet("the server answered " + body[:300].decode("utf-8", "replace"))
    start += len(_TEXT)
    end = start + 1
    while True:
        end = body.find(b'"', end)
        if end < 0 or body[start : start + 1] != b'"':
            raise Quiet("the server's answer is cut")
        slashes = 0
        while body[end - 1 - slashes : end - slashes] == b"\\":
            slashes += 1
        if slashes % 2 == 0:
            break
        end += 1
    literal = body[start : end + 1]
    if len(literal) > LARGEST_ANSWER:
        raise Quiet("the server's answer is too long")
    return literal


def _socket_path() -> "str | None":
    """As `nav_ls.client.runtime` has it; a test compares them."""
    base = os.environ.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(base) and os.path.isdir(base):
        folder = base + "/nav"
        if base.endswith("/"):
            folder = base.rstrip("/") + "/nav"
        if len(os.fsencode(folder + "/server.sock")) > 100:
            import zlib

            folder = f"{_temporary()}-{zlib.crc32(os.fsencode(folder)):08x}"
    else:
        folder = _temporary()
    try:
        found = os.lstat(folder)
    except OSError:
        return None
    # Somebody else's folder, or one that others may enter: never send a prompt there.
    if found.st_uid != os.getuid() or found.st_mode & 0o170077 != 0o040000:
        return None
    return folder + "/server.sock"


def _temporary() -> str:
    for name in ("TMPDIR", "TEMP", "TMP"):
        folder = os.environ.get(name)
        if folder and os.path.isdir(folder):
            return os.path.abspath(folder) + "/nav-" + str(os.getuid())
    return "/tmp/nav-" + str(os.getuid())


# Without a server ---------------------------------------------------------------------------------------------


def _start_server() -> None:
    """Start the server for next time; nobody waits for it."""
    _spawn(["-P", "-m", "nav_ls.hooks.cold", "start-server"], None, None)


def _without_server(asked: bytes, deadline: float) -> bytes:
    """The answer of a process that reads the index by itself."""
    ask_read, ask_write = os.pipe()
    answer_read, answer_write = os.pipe()
    os.set_blocking(ask_write, False)
    child = _spawn(["-P", "-m", "nav_ls.hooks.cold", str(deadline)], ask_read, answer_write)
    os.close(ask_read)
    os.close(answer_write)
    try:
        _feed(ask_write, asked, deadline)
        os.close(ask_write)
        parts = []
        size = 0
        while size <= 2 * LARGEST_ANSWER:
            part = os.read(answer_read, 65536)
            if not part:
                break
            parts.append(part)
            size += len(part)
        return _text_of(b"".join(parts))
    finally:
        os.close(answer_read)
        if child:
            os.waitpid(child, os.WNOHANG)


def _feed(pipe: int, data: bytes, deadline: float) -> None:
    while data:
        if time.monotonic() > deadline:
            raise Quiet("the reader of the index does not listen")
        try:
            data = data[os.write(pipe, data) :]
        except BlockingIOError:
            time.sleep(0.002)


def _spawn(arguments: "list[str]", stdin: "int | None", stdout: "int | None") -> int:
    """Start this Python with its packages, detached.  fork and exec by hand: `subprocess` takes 20 ms to import."""
    child = os.fork()
    if child:
        return child
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing if stdin is None else stdin, 0)
        os.dup2(nothing if stdout is None else stdout, 1)
        os.dup2(nothing, 2)
        os.closerange(3, 64)
        os.execve(sys.executable, [sys.executable, *arguments], _environment())
    except BaseException:
        os._exit(127)


def _environment() -> "dict[str, str]":
    """Ours, with the package of this file in reach where it is a checkout."""
    environment = dict(os.environ)
    home = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    if not home.endswith(("site-packages", "dist-packages")):
        known = environment.get("PYTHONPATH", "")
        environment["PYTHONPATH"] = home + (os.pathsep + known if known else "")
    return environment


# Words --------------------------------------------------------------------------------------------------------


def _quote(text: str) -> bytes:
    parts = ['"']
    for char in text:
        if char in '"\\':
            parts.append("\\" + char)
        elif char < " " or "\ud800" <= char <= "\udfff":
            parts.append(f"\\u{ord(char):04x}")
        else:
            parts.append(char)
    parts.append('"')
    return "".join(parts).encode()


def _unquote(literal: bytes) -> bytes:
    import json

    return str(json.loads(literal)).encode("utf-8", "replace")


def _uri(folder: str) -> str:
    plain = b"/-_.~abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    return "file://" + "".join(chr(byte) if byte in plain else f"%{byte:02X}" for byte in os.fsencode(folder))


def _log(argv: "list[str]", what: str) -> None:
    """One line in the log; without a place for it, none."""
    try:
        path = _socket_path()
        if path is None:
            return
        path = os.path.dirname(path) + "/nav-hook.log"
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        log = os.open(path, flags, 0o600)
        if os.fstat(log).st_size > _LARGEST_LOG:
            os.ftruncate(log, 0)
        line = time.strftime("%Y-%m-%dT%H:%M:%S ") + " ".join(argv[:2]) + ": " + what.replace("\n", " ")[:600] + "\n"
        os.write(log, line.encode("utf-8", "replace"))
        os.close(log)
    except BaseException:
        return


if __name__ == "__main__":
    # Not sys.exit: nothing that runs at the end of an interpreter may print or change the code.
    main(sys.argv[1:])
    os._exit(0)
