"""Anthropic's Messages and Message Batches APIs, there and at every endpoint that speaks them.

The SDK sends and signs; waiting is done here, because it belongs to all threads at once: where one model has had
enough the next one of the list is asked, where all have, everybody waits as long as they were told to, and a wait
can be broken off.  Bodies are read here too, piece by piece, so that an endpoint that drips cannot hold us forever.
"""

from __future__ import annotations

import contextlib
import json
import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

from nav_ls.ports import Batch, Completion, Limited, PortError, Rejected, Request, Unavailable, Usage
from nav_ls.text.secrets import HIDDEN, redact

DEFAULT_URL = "https://api.anthropic.com"
_TOOL = "answer"
_LARGEST_ANSWER = 16_000_000
_LARGEST_RESULTS = 4_000_000_000
_SILENCE_SECONDS = 60.0
_FIRST_WAIT, _LAST_WAIT = 0.5, 30.0
_BUSY = frozenset({429, 503, 529})
_OPTIONS = ("effort", "format", "output_config", "tool_choice", "tools", "cache_control")
"""What a request can do without: an endpoint that names one of these in a refusal is asked again without it."""
_STOPS = {"max_tokens": "length", "model_context_window_exceeded": "length", "refusal": "refused"}


class _Busy(Exception):
    """Too much for this model at this moment; `seconds`: when it said to come back, 0 where it did not."""

    def __init__(self, seconds: float, message: str) -> None:
        super().__init__(message)
        self.seconds = seconds


class _Broken(Unavailable):
    """An answer that broke off; `heard`: a part of its text was passed on already."""

    def __init__(self, message: str, text: str = "", usage: Usage | None = None, *, heard: bool = False) -> None:
        super().__init__(message)
        self.text, self.usage, self.heard = text, usage or Usage(), heard


class Limits(NamedTuple):
    """How long things may take, in seconds; `retries` counts the rounds after the first one."""

    retries: int = 5
    answer: float = 180.0
    patience: float = 300.0


class AnthropicLLM:
    """Implements `LLM` and `BatchLLM`."""

    def __init__(self, url: str, key: str, models: Sequence[str], limits: Limits = Limits()) -> None:  # noqa: B008
        import anthropic

        if not models:
            raise Rejected("no model is configured: set llm.models")
        self.models = tuple(models)
        self._anthropic, self._limits, self._url, self._key = anthropic, limits, url or DEFAULT_URL, key
        # An endpoint without keys (one's own machine) still has to be sent something.
        self._client = anthropic.Anthropic(
            api_key=key or "none", base_url=self._url, max_retries=0, timeout=min(_SILENCE_SECONDS, limits.answer)
        )
        self._guard = threading.Lock()
        self._busy_until: dict[str, float] = {}
        self._unknown: dict[str, set[str]] = {}
        self._closed = threading.Event()

    @property
    def model(self) -> str:
        """The one that is wanted."""
        return self.models[0]

    def close(self) -> None:
        """Break off all waiting, and release connections."""
        self._closed.set()
        self._client.close()

    # --- one answer

    def complete(self, request: Request, listen: Callable[[str], None] | None = None) -> Completion:
        """As the port says."""
        problem: PortError = Unavailable(f"{self._url} gave no answer")
        asleep = 0.0
        for round_ in range(self._limits.retries + 1):
            for model in self._free():
                try:
                    return self._ask(model, request, listen)
                except _Busy as busy:
                    problem = self._put_off(model, busy, round_)
                except _Broken as broken:
                    if broken.heard:
                        return Completion(broken.text, broken.usage, "broken", model)
                    problem = broken
                    break
                except Unavailable as error:
                    problem = error
                    break
            if round_ == self._limits.retries:
                break
            seconds = self._pause() or _backoff(round_)
            if asleep + seconds > self._limits.patience:
                raise Limited(f"{problem}; come back in {seconds:.0f} s", seconds) from problem
            asleep += seconds
            if self._closed.wait(seconds):
                raise Unavailable("broken off")
        if isinstance(problem, _Broken):
            raise Unavailable(str(problem)) from problem
        raise problem

    def _free(self) -> list[str]:
        """The models that may be asked now."""
        now = time.monotonic()
        with self._guard:
            return [model for model in self.models if self._busy_until.get(model, 0.0) <= now]

    def _pause(self) -> float:
        """Seconds until one of the models may be asked again."""
        now = time.monotonic()
        with self._guard:
            return max(0.0, min(self._busy_until.get(model, 0.0) for model in self.models) - now)

    def _put_off(self, model: str, busy: _Busy, round_: int) -> Limited:
        seconds = busy.seconds or _backoff(round_)
        with self._guard:
            self._busy_until[model] = max(self._busy_until.get(model, 0.0), time.monotonic() + seconds)
        return Limited(str(busy), busy.seconds)

    def _ask(self, model: str, request: Request, listen: Callable[[str], None] | None) -> Completion:
        """One request to one model; options that it does not know are left out from then on."""
        for _ in range(len(_OPTIONS) + 1):
            body = self._body(model, request)
            try:
                with self._sent("/v1/messages", body | ({"stream": True} if listen else {})) as response:
                    deadline = time.monotonic() + self._limits.answer
                    pieces = self._pieces(response, deadline, _LARGEST_ANSWER)
                    return _heard(pieces, model, listen) if listen else _read(b"".join(pieces), model)
            except Rejected as error:
                option = self._refused_option(str(error), body)
                if not option:
                    raise
                with self._guard:
                    self._unknown.setdefault(model, set()).add(option)
        raise Rejected(f"{model} at {self._url} refuses every form of the request")

    def _refused_option(self, message: str, body: dict[str, Any]) -> str:
        if "400" not in message:
            return ""
        sent = json.dumps(body)
        return next((name for name in _OPTIONS if name in message and f'"{name}"' in sent), "")

    def _body(self, model: str, request: Request) -> dict[str, Any]:
        with self._guard:
            unknown = frozenset(self._unknown.get(model, ()))
        system: list[dict[str, Any]] = [
            {"type": "text", "text": redact(text)} for text in (request.system, request.shared) if text
        ]
        if system and "cache_control" not in unknown:
            system[-1]["cache_control"] = {"type": "ephemeral"}
        body: dict[str, Any] = {
            "model": model,
            "max_tokens": request.max_tokens,
            "system": system,
            "messages": [{"role": turn.role, "content": redact(turn.text)} for turn in request.turns],
        }
        if request.schema is not None:
            body |= _structured(model, request.schema, unknown)
        return body

    # --- batches

    def submit(self, requests: Mapping[str, Request]) -> Batch:
        """As the port says."""
        items = [{"custom_id": name, "params": self._body(self.model, request)} for name, request in requests.items()]
        return _batch(self._json("/v1/messages/batches", {"requests": items}))

    def batch(self, id: str) -> Batch:
        """As the port says."""
        return _batch(self._again(f"/v1/messages/batches/{_plain(id)}"))

    def recent(self, since: float) -> list[Batch]:
        """As the port says."""
        listed = self._again("/v1/messages/batches?limit=100").get("data")
        found = [_batch(item) for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []
        return sorted((item for item in found if item.created >= since), key=lambda item: -item.created)

    def results(self, id: str) -> Iterable[tuple[str, Completion | PortError]]:
        """As the port says.  The address is made from the id: where an answer points to is not followed."""
        with self._sent(f"/v1/messages/batches/{_plain(id)}/results", None) as response:
            deadline = time.monotonic() + max(self._limits.answer, 3600.0)
            for line in _lines(self._pieces(response, deadline, _LARGEST_RESULTS)):
                if line.strip():
                    yield _result(_object(line), self.model)

    def _again(self, path: str) -> dict[str, Any]:
        """What a path answers.  Only for questions that cost nothing."""
        for round_ in range(self._limits.retries + 1):
            try:
                return self._json(path, None)
            except (_Busy, Unavailable) as error:
                seconds = (error.seconds if isinstance(error, _Busy) else 0.0) or _backoff(round_)
                problem = Limited(str(error), seconds) if isinstance(error, _Busy) else error
                if round_ == self._limits.retries or seconds > self._limits.patience or self._closed.wait(seconds):
                    raise problem from error
        raise Unavailable(f"{self._url} gave no answer")

    def _json(self, path: str, body: dict[str, Any] | None) -> dict[str, Any]:
        with self._sent(path, body) as response:
            return _object(b"".join(self._pieces(response, time.monotonic() + self._limits.answer, _LARGEST_ANSWER)))

    # --- the wire

    @contextlib.contextmanager
    def _sent(self, path: str, body: dict[str, Any] | None) -> Iterator[Any]:
        """An open response with a status of success.  Raises _Busy, Rejected, Unavailable."""
        options: Any = {"headers": {"X-Stainless-Raw-Response": "stream"}}
        try:
            if body is None:
                response: Any = self._client.get(path, cast_to=object, options=options)
            else:
                response = self._client.post(path, cast_to=object, body=body, options=options)
        except self._anthropic.APIStatusError as error:
            raise self._refusal(error) from None  # its own chain holds the request, and with it the key
        except self._anthropic.APIConnectionError as error:
            why = type(error.__cause__).__name__ if error.__cause__ is not None else "no connection"
            raise Unavailable(f"{self._url} cannot be reached ({why})") from None
        except self._anthropic.AnthropicError as error:
            raise Unavailable(self._safe(str(error))) from None
        try:
            yield response
        finally:
            response.close()

    def _refusal(self, error: Any) -> Exception:
        status = error.status_code
        message = self._safe(str(getattr(error, "api_message", None) or error.message))
        said = f"{self._url} answered {status}: {message}"
        if status in _BUSY:
            return _Busy(_retry_after(error.response.headers), said)
        if status in (401, 403):
            return Rejected(f"{said}. Check the API key (NAV_API_KEY, ANTHROPIC_API_KEY, or llm.key in your settings)")
        if status == 402:
            return Rejected(f"{said}. The account has to be topped up")
        if status == 404:
            return Rejected(f"{said}. Check llm.url and the model's name ({', '.join(self.models)})")
        if status == 413:
            return Rejected(f"{said}. The request is too large")
        if status >= 500 or status in (408, 409):
            return Unavailable(said)
        return Rejected(said)

    def _safe(self, text: str) -> str:
        """A message of others on one line, without what must not be seen."""
        text = redact(text.replace(self._key, HIDDEN) if self._key else text)
        return " ".join(text.split())[:300]

    def _pieces(self, response: Any, deadline: float, most: int) -> Iterator[bytes]:
        """The body as it comes.  Raises Unavailable where it breaks off, takes too long or has no end."""
        size = 0
        try:
            for piece in response.iter_bytes():
                size += len(piece)
                if time.monotonic() > deadline:
                    raise Unavailable(f"the answer of {self._url} took longer than {self._limits.answer:g} s")
                if size > most:
                    raise Unavailable(f"the answer of {self._url} has no end")
                yield piece
        except (PortError, GeneratorExit):
            raise
        except Exception as error:  # of whatever library the SDK reads with: it has changed it before
            raise Unavailable(f"the answer of {self._url} broke off ({type(error).__name__})") from None


def _structured(model: str, schema: dict[str, object], unknown: frozenset[str]) -> dict[str, Any]:
    """How a model is made to answer in JSON: Claude by its own means, others by a tool that they are to call."""
    if "claude" in model and not {"output_config", "format"} & unknown:
        config: dict[str, Any] = {"format": {"type": "json_schema", "schema": schema}}
        if "effort" not in unknown and not model.startswith(("claude-haiku-4", "claude-sonnet-4")):
            config["effort"] = "low"
        return {"output_config": config}
    if "tools" in unknown:
        return {}
    tool = {"name": _TOOL, "description": "Give the answer.", "input_schema": schema}
    # Later Claude models refuse to be forced; asked for an answer they give it with the tool or as text.
    choice = {} if "tool_choice" in unknown else {"tool_choice": {"type": "tool", "name": _TOOL}}
    return {"tools": [tool], **choice}


def _read(body: bytes, model: str) -> Completion:
    """An answer that came in one piece."""
    message = _object(body)
    if not isinstance(message.get("content"), list):
        raise Unavailable("the answer is no message")
    return _completion(message, model)


def _completion(message: dict[str, Any], model: str) -> Completion:
    texts, tools = [], []
    for block in message["content"]:
        if isinstance(block, dict) and block.get("type") == "text":
            texts.append(str(block.get("text", "")))
        elif isinstance(block, dict) and block.get("type") == "tool_use":
            tools.append(json.dumps(block.get("input"), ensure_ascii=False))
    stop = _STOPS.get(str(message.get("stop_reason")), "end")
    answered = message.get("model")
    name = answered if isinstance(answered, str) and answered else model
    return Completion(tools[0] if tools else "".join(texts), _usage(message.get("usage")), stop, name)


def _heard(pieces: Iterable[bytes], model: str, listen: Callable[[str], None]) -> Completion:
    """An answer that is passed on while it comes.  Raises _Busy, _Broken."""
    texts: list[str] = []
    usage, stop = Usage(), "end"
    try:
        for event in _events(pieces):
            kind = event.get("type")
            if kind == "message_start":
                usage = _usage(_inner(event, "message").get("usage"))
            elif kind == "content_block_delta" and _inner(event, "delta").get("type") == "text_delta":
                texts.append(str(_inner(event, "delta").get("text", "")))
                listen(texts[-1])
            elif kind == "message_delta":
                stop = _STOPS.get(str(_inner(event, "delta").get("stop_reason")), "end")
                written = _usage(event.get("usage")).output_tokens
                usage = Usage(usage.input_tokens, written, usage.cached_tokens, usage.written_tokens)
            elif kind == "message_stop":
                return Completion("".join(texts), usage, stop, model)
            elif kind == "error":
                said = str(_inner(event, "error").get("type", "error"))
                if said in ("overloaded_error", "rate_limit_error") and not texts:
                    raise _Busy(0.0, f"{model}: {said}")
                raise Unavailable(f"{model}: {said}")
    except Unavailable as error:
        raise _Broken(str(error), "".join(texts), usage, heard=bool(texts)) from error
    raise _Broken("the answer broke off", "".join(texts), usage, heard=bool(texts))


def _events(pieces: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """The data of server-sent events that are objects."""
    for line in _lines(pieces):
        if line.startswith(b"data:"):
            yield _object(line[5:])


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        yield from lines
    if rest:
        yield rest


def _object(data: bytes) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except ValueError:
        raise Unavailable("the answer is no JSON") from None
    if not isinstance(value, dict):
        raise Unavailable("the answer is no JSON object")
    return value


def _inner(event: dict[str, Any], name: str) -> dict[str, Any]:
    value = event.get(name)
    return value if isinstance(value, dict) else {}


def _usage(value: object) -> Usage:
    found = value if isinstance(value, dict) else {}

    def count(name: str) -> int:
        number = found.get(name)
        return number if isinstance(number, int) and number > 0 else 0

    return Usage(
        count("input_tokens"),
        count("output_tokens"),
        count("cache_read_input_tokens"),
        count("cache_creation_input_tokens"),
    )


def _batch(value: dict[str, Any]) -> Batch:
    id = value.get("id")
    if not isinstance(id, str) or not id:
        raise Unavailable("the answer is no batch")
    counts = {name: n for name, n in _inner(value, "request_counts").items() if isinstance(n, int)}
    total = sum(counts.values())
    done = total - counts.get("processing", 0)
    return Batch(id, _moment(value.get("created_at")), value.get("processing_status") == "ended", done, total)


def _moment(value: object) -> float:
    try:
        return datetime.fromisoformat(str(value).replace("Z", "+00:00")).timestamp()
    except ValueError:
        return 0.0


def _result(line: dict[str, Any], model: str) -> tuple[str, Completion | PortError]:
    name, result = str(line.get("custom_id", "")), _inner(line, "result")
    kind = result.get("type")
    message = _inner(result, "message")
    if kind == "succeeded" and isinstance(message.get("content"), list):
        return name, _completion(message, model)
    if kind == "errored":
        error = _inner(_inner(result, "error"), "error")
        said = f"{error.get('type', 'error')}: {error.get('message', '')}"
        return name, (Rejected if error.get("type") == "invalid_request_error" else Unavailable)(redact(said))
    return name, Unavailable(str(kind or "no result"))


def _plain(id: str) -> str:
    """An id that may stand in an address."""
    if not id or not all(char.isalnum() or char in "_-" for char in id):
        raise Rejected(f"{id!r} is no id of a batch")
    return id


def _retry_after(headers: Mapping[str, str]) -> float:
    """In seconds; the header may also name a moment."""
    text = headers.get("retry-after", "")
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return 0.0


def _backoff(round_: int) -> float:
    # Not all clients at the same moment.
    return float(min(_LAST_WAIT, _FIRST_WAIT * 2**round_) * (1 - random.random() / 4))
