"""pygls' protocol with what a shared server needs on top.

- Every request gets an answer: what can't be understood is answered with an error and never ends the session.
- Messages are encoded by msgspec, and results may be plain dicts: an answer of 5,000 symbols costs a fifth of what
  lsprotocol's objects cost.
- Bytes come and go through callbacks, on the loop's thread only: frames written from several threads interleave.
- `exit` ends this session, not the process that other sessions live in.
"""

from __future__ import annotations

import asyncio
import functools
import itertools
import json
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec
from cattrs import ClassValidationError, Converter, transform_error
from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol, default_converter, lsp_method

from nav_ls.client.framing import Frames, FramingError
from nav_ls.client.identity import HELLO
from nav_ls.text.errors import NavError

if TYPE_CHECKING:
    from nav_ls.server.session import Session

log = logging.getLogger(__name__)

Handler = Callable[[Any], Any]
"""Answers a request: at once, or with a coroutine (which can be cancelled, and lets others run)."""

_BEFORE_INITIALIZE = {types.INITIALIZE, types.EXIT, HELLO}


@functools.cache
def shared_converter() -> Converter:
    """One converter for all sessions: each costs 20 ms to make, and learns its types lazily."""
    converter: Converter = default_converter()  # type: ignore[no-untyped-call]
    return converter


class RawRequest:
    """A request whose method LSP does not know: its params stay plain JSON values."""

    def __init__(self, method: str, message_id: str | int, params: Any) -> None:
        self.jsonrpc = "2.0"
        self.method = method
        self.id = message_id
        self.params = params


class RawNotification:
    """A notification whose method LSP does not know."""

    def __init__(self, method: str, params: Any) -> None:
        self.jsonrpc = "2.0"
        self.method = method
        self.params = params


class Protocol(LanguageServerProtocol):
    """One session's half of the conversation."""

    _server: Session

    def __init__(self, server: Session, converter: Converter) -> None:
        super().__init__(server, converter)
        self._frames = Frames()
        self._initialized = False
        self._asked: dict[Any, asyncio.Future[Any]] = {}
        self._ids = itertools.count(1)
        self._running: dict[str | int, asyncio.Task[Any]] = {}
        self._loop = asyncio.get_running_loop()
        self._encoder = msgspec.json.Encoder(enc_hook=self._plain)
        self.closing = False

    # pygls caches these per instance and method, which keeps ended sessions alive.
    def get_message_type(self, method: str) -> type[Any] | None:  # type: ignore[override]
        """LSP's type of a message."""
        return types.METHOD_TO_TYPES.get(method, (None,))[0]

    def get_result_type(self, method: str) -> type[Any] | None:  # type: ignore[override]
        """LSP's type of the answer to a request."""
        return types.METHOD_TO_TYPES.get(method, (None, None))[1]

    # Incoming ------------------------------------------------------------------------------------------------

    def feed(self, data: bytes) -> None:
        """Take bytes from the client; complete messages are handled at once."""
        try:
            bodies = self._frames.feed(data)
        except FramingError as error:
            self._refuse(None, JsonRpcParseError(str(error)))
            self._server.close()
            return
        for body in bodies:
            if not self.closing:
                self.receive(body)

    def receive(self, body: bytes) -> None:
        """Handle one message body."""
        try:
            message = _decode(body)
        except ValueError as error:
            self._refuse(None, JsonRpcParseError(f"this is not JSON: {error}"))
            return
        if not isinstance(message, dict):
            self._refuse(None, JsonRpcInvalidRequest("a message must be an object; batches are not supported"))
            return
        self._receive_object(message)

    def _receive_object(self, message: dict[str, Any]) -> None:
        message_id, method = message.get("id"), message.get("method")
        if method is None:
            self._receive_response(message)
            return
        has_id = isinstance(message_id, str | int) and not isinstance(message_id, bool)
        if not isinstance(method, str) or ("id" in message and not has_id):
            self._refuse(None, JsonRpcInvalidRequest("a message needs a method's name and an id"))
            return
        try:
            self._require_state(method)
            structured = self._structure(method, message_id, message)
        except JsonRpcException as error:
            if message_id is not None:
                self._refuse(message_id, error)
            else:
                log.warning("ignored %s: %s", method, error)
            return
        self.handle_message(structured)

    def _receive_response(self, message: dict[str, Any]) -> None:
        future = self._asked.pop(message.get("id"), None)
        if future is None or future.done():
            return  # an answer that nobody waits for (any more)
        error = message.get("error")
        if error is None:
            future.set_result(message.get("result"))
        else:
            future.set_exception(JsonRpcException(str(error)))

    def _require_state(self, method: str) -> None:
        if self._shutdown and method != types.EXIT:
            raise JsonRpcInvalidRequest("this session was shut down")
        if not self._initialized and method not in _BEFORE_INITIALIZE:
            raise JsonRpcServerNotInitialized(f"{method} came before initialize")
        if method == types.INITIALIZE:
            if self._initialized:
                raise JsonRpcInvalidRequest("this session is initialized already")
            self._initialized = True

    def _structure(self, method: str, message_id: str | int | None, message: dict[str, Any]) -> Any:
        params = message.get("params")
        if message_id is not None and method not in self._server.handlers and method not in self.fm.builtin_features:
            raise JsonRpcMethodNotFound.of(method)
        kind = self.get_message_type(method)
        if kind is None:
            if message_id is None:
                return RawNotification(method, params)
            return RawRequest(method, message_id, params)
        try:
            return self._converter.structure(message | {"jsonrpc": "2.0"}, kind)
        except ClassValidationError as error:
            problems = "; ".join(transform_error(error, path="message")[:3]).replace("message.params", "params")
            raise JsonRpcInvalidParams(f"{method}: {problems}") from error
        except Exception as error:
            raise JsonRpcInvalidParams(f"{method}: its params have the wrong shape ({error})") from error

    # Handlers -------------------------------------------------------------------------------------------------

    def _handle_request(self, msg_id: str | int, method_name: str, params: Any) -> None:
        handler = self._server.handlers.get(method_name)
        if handler is None:
            super()._handle_request(msg_id, method_name, params)
            return
        if msg_id in self._running:
            self._refuse(msg_id, JsonRpcInvalidRequest(f"request {msg_id!r} is still running"))
            return
        try:
            answer = handler(params)
        except JsonRpcException as error:
            self._refuse(msg_id, error)
            return
        if not asyncio.iscoroutine(answer):
            self._send_response(msg_id, result=answer)
            return
        task = asyncio.ensure_future(answer)
        # Not among pygls' futures: a stray answer of the client with our request's id would hit it there.
        self._running[msg_id] = task
        task.add_done_callback(functools.partial(self._finish, msg_id))

    def _finish(self, msg_id: str | int, task: asyncio.Task[Any]) -> None:
        self._running.pop(msg_id, None)
        if not self.closing:
            self._send_handler_result(task, msg_id=msg_id)

    def _send_handler_result(self, future: Any, *, msg_id: str | int) -> None:
        """As pygls does, but without a traceback in the answer: the log has it."""
        if future.cancelled():
            self._refuse(msg_id, JsonRpcException("cancelled", code=types.LSPErrorCodes.RequestCancelled.value))
            return
        error = future.exception()
        if error is None:
            self._send_response(msg_id, result=future.result())
        elif isinstance(error, JsonRpcException):
            self._refuse(msg_id, error)
        elif isinstance(error, NavError):
            self._refuse(msg_id, JsonRpcException(str(error), code=types.LSPErrorCodes.RequestFailed.value))
        else:
            log.error("request %s failed", msg_id, exc_info=error)
            self._refuse(msg_id, JsonRpcInternalError(f"{type(error).__name__}: {error}"))

    def _handle_cancel_notification(self, msg_id: str | int) -> None:
        task = self._running.get(msg_id)
        if task is not None:
            task.cancel()

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_: Any) -> None:  # type: ignore[override]
        """End this session."""
        self._server.close()

    @lsp_method(types.INITIALIZED)
    def lsp_initialized(self, *_: Any) -> None:
        """The client is ready for requests of ours."""
        self._server.on_initialized()

    @lsp_method(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def lsp_workspace__did_change_workspace_folders(self, params: types.DidChangeWorkspaceFoldersParams) -> None:
        """Folders were added or removed."""
        for removed in params.event.removed:
            self._server.remove_folder(removed.uri)
        for added in params.event.added:
            self._server.add_folder(added.uri)

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """A buffer was opened.  (pygls' own documents split lines at U+2028 and the like; ours don't.)"""
        self._server.did_open(params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """A buffer was edited."""
        self._server.did_change(params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """A buffer was closed."""
        self._server.did_close(params)

    @lsp_method(types.TEXT_DOCUMENT_DID_SAVE)
    def lsp_text_document__did_save(self, params: types.DidSaveTextDocumentParams) -> None:
        """A buffer was saved."""
        self._server.did_save(params)

    @lsp_method(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def lsp_workspace__did_change_watched_files(self, params: types.DidChangeWatchedFilesParams) -> None:
        """Files have changed."""
        self._server.watched_files_changed(params)

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    def lsp_workspace__execute_command(self, params: types.ExecuteCommandParams) -> Any:
        """Replaced by the session's own handler, which knows the nav.* table."""
        raise JsonRpcMethodNotFound.of(types.WORKSPACE_EXECUTE_COMMAND)

    # Outgoing -------------------------------------------------------------------------------------------------

    def tell(self, method: str, params: Any) -> None:
        """Send a notification; from any thread."""
        self._send_data({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: Any) -> asyncio.Future[Any]:
        """Send a request; the future holds its result (or JsonRpcException).  On the loop's thread only."""
        message_id = f"nav-{next(self._ids)}"
        answer: asyncio.Future[Any] = self._loop.create_future()
        answer.add_done_callback(_retrieved)
        self._asked[message_id] = answer
        self._send_data({"jsonrpc": "2.0", "id": message_id, "method": method, "params": params})
        return answer

    def _send_response(
        self, msg_id: str | int | None, result: Any | None = None, error: types.ResponseError | None = None
    ) -> None:
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": msg_id}
        if error is None:
            answer["result"] = result
        else:
            answer["error"] = error
        self._send_data(answer)

    def _refuse(self, msg_id: str | int | None, error: JsonRpcException) -> None:
        self._send_response(msg_id, error=error.to_response_error())

    def _send_data(self, data: Any) -> None:
        """Write a message; from any thread."""
        if self.closing:
            return
        try:
            body = self._encoder.encode(data)
        except UnicodeEncodeError:  # what it tells of has half a character, which JSON can only escape
            body = json.dumps(msgspec.to_builtins(data, enc_hook=self._plain)).encode()
        framed = b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
        try:
            inside = asyncio.get_running_loop() is self._loop
        except RuntimeError:
            inside = False
        if inside:
            self._server.write(framed)
        else:
            self._loop.call_soon_threadsafe(self._server.write, framed)

    def plain(self, value: Any) -> Any:
        """One of LSP's values as JSON values."""
        return self._converter.unstructure(value)

    def _plain(self, value: Any) -> Any:
        if hasattr(value, "__attrs_attrs__"):
            return self._converter.unstructure(value)
        raise TypeError(f"{type(value).__name__} can't be sent to a client")

    def cancel_all(self) -> None:
        """Drop every request that still runs; nobody waits for it any more."""
        self.closing = True
        for task in tuple(self._running.values()):
            task.cancel()
        for future in tuple(self._asked.values()):
            future.cancel()


def _retrieved(future: asyncio.Future[Any]) -> None:
    """Whoever asks the client may leave before it answers with an error; asyncio must not complain then."""
    if not future.cancelled():
        future.exception()


def _decode(body: bytes) -> Any:
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        # Stricter than JavaScript: it rejects the lone surrogates that an editor's buffer may hold.
        return json.loads(body)
