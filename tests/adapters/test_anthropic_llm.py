"""The adapter of the Messages API against every fault that an endpoint can have."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator

import pytest

from nav_ls.adapters.anthropic_llm import AnthropicLLM, Limits
from nav_ls.ports import Completion, Limited, PortError, Rejected, Request, Turn, Unavailable
from tests.endpoints.fake_messages import FakeMessages, Fault, fake_messages

KEY = "sk-ant-api03-" + "k" * 40
SCHEMA: dict[str, object] = {"type": "object", "properties": {"a": {"type": "string"}}}
ASK = Request("You answer.", (Turn("user", "Why?"),), 500, shared="# Project\n" + "words " * 50)
QUICK = Limits(retries=3, answer=2.0, patience=10.0)


@pytest.fixture
def fake() -> Iterator[FakeMessages]:
    with fake_messages(lambda body: "Because of the tides.") as made:
        yield made


@pytest.fixture(autouse=True)
def quick_backoff(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nav_ls.adapters.anthropic_llm._FIRST_WAIT", 0.01)


def made(fake: FakeMessages, *models: str, limits: Limits = QUICK) -> AnthropicLLM:
    return AnthropicLLM(fake.url, KEY, models or ("claude-a",), limits)


def test_one_answer_with_what_it_took(fake: FakeMessages) -> None:
    fake.usage = {
        "input_tokens": 7,
        "output_tokens": 3,
        "cache_read_input_tokens": 100,
        "cache_creation_input_tokens": 50,
    }
    found = made(fake).complete(ASK)
    assert (found.text, found.stop, found.model) == ("Because of the tides.", "end", "claude-a")
    usage = found.usage
    assert (usage.input_tokens, usage.output_tokens, usage.cached_tokens, usage.written_tokens) == (7, 3, 100, 50)
    assert usage.total == 160


def test_what_is_shared_is_marked_for_the_cache_and_comes_before_what_is_not(fake: FakeMessages) -> None:
    made(fake).complete(ASK)
    body = fake.asked[0].body
    assert [block["text"][:9] for block in body["system"]] == ["You answe", "# Project"]
    assert [block.get("cache_control") for block in body["system"]] == [None, {"type": "ephemeral"}]
    sent = fake.asked[0].headers
    assert KEY in (sent.get("x-api-key"), sent.get("authorization", "").removeprefix("Bearer "))


def test_a_stream_is_passed_on_piece_by_piece(fake: FakeMessages) -> None:
    heard: list[str] = []
    found = made(fake).complete(ASK, heard.append)
    assert len(heard) == 4
    assert "".join(heard) == found.text == "Because of the tides."
    assert (found.usage.input_tokens, found.usage.output_tokens) == (1000, 200)


def test_claude_answers_in_json_by_a_schema_and_others_by_a_tool(fake: FakeMessages) -> None:
    request = Request("s", (Turn("user", "q"),), 100, schema=SCHEMA)
    made(fake).complete(request)
    made(fake, "qwen3-coder").complete(request)
    claude, other = (item.body for item in fake.asked)
    assert claude["output_config"]["format"] == {"type": "json_schema", "schema": SCHEMA}
    assert "tools" not in claude
    assert other["tools"][0]["input_schema"] == SCHEMA
    assert other["tool_choice"] == {"type": "tool", "name": "answer"}


def test_what_an_endpoint_does_not_know_is_left_out_from_then_on(fake: FakeMessages) -> None:
    llm = made(fake)
    fake.faults.append(Fault("status", 400, text="output_config.effort: Extra inputs are not permitted"))
    request = Request("s", (Turn("user", "q"),), 100, schema=SCHEMA)
    llm.complete(request)
    llm.complete(request)
    assert [item.body["output_config"].get("effort") for item in fake.asked] == ["low", None, None]


# Too much ---------------------------------------------------------------------------------------------------


def test_retry_after_is_honoured(fake: FakeMessages) -> None:
    fake.faults.append(Fault("status", 429, retry_after="0.4"))
    started = time.monotonic()
    assert made(fake).complete(ASK).stop == "end"
    assert time.monotonic() - started >= 0.4
    assert len(fake.asked) == 2
    assert len(fake.paid) == 1


@pytest.mark.parametrize("status", [429, 529])
def test_the_next_model_is_asked_where_one_has_had_enough(fake: FakeMessages, status: int) -> None:
    fake.busy["claude-a"] = Fault("status", status, retry_after="30")
    llm = made(fake, "claude-a", "claude-b")
    started = time.monotonic()
    assert llm.complete(ASK).model == "claude-b"
    assert llm.complete(ASK).model == "claude-b"
    assert time.monotonic() - started < 2
    assert [item.body["model"] for item in fake.asked] == ["claude-a", "claude-b", "claude-b"]


def test_overload_inside_of_a_stream_is_one_too(fake: FakeMessages) -> None:
    fake.faults.append(Fault("overloaded"))
    heard: list[str] = []
    assert made(fake, "claude-a", "claude-b").complete(ASK, heard.append).text == "".join(heard)
    assert fake.asked[1].body["model"] == "claude-b"


def test_nobody_waits_for_an_hour(fake: FakeMessages) -> None:
    fake.always = Fault("status", 429, retry_after="3600")
    started = time.monotonic()
    with pytest.raises(Limited, match="come back in 3600 s") as caught:
        made(fake).complete(ASK)
    assert caught.value.seconds == pytest.approx(3600, abs=1)
    assert time.monotonic() - started < 2
    assert len(fake.asked) == 1


def test_it_is_not_tried_for_ever(fake: FakeMessages) -> None:
    fake.always = Fault("status", 529)
    with pytest.raises(Limited, match="answered 529"):
        made(fake).complete(ASK)
    assert len(fake.asked) == 1 + QUICK.retries


# Broken -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["malformed", "truncated", "reset", "status"])
def test_what_may_pass_is_tried_again(fake: FakeMessages, kind: str) -> None:
    fake.faults.append(Fault(kind))
    assert made(fake).complete(ASK).text == "Because of the tides."
    assert len(fake.asked) == 2


@pytest.mark.parametrize("kind", ["malformed", "truncated", "reset", "status", "drip"])
def test_what_does_not_pass_is_told(fake: FakeMessages, kind: str) -> None:
    fake.always = Fault(kind)
    started = time.monotonic()
    with pytest.raises(Unavailable):
        made(fake, limits=Limits(retries=1, answer=0.5)).complete(ASK)
    assert len(fake.asked) == 2
    assert time.monotonic() - started < 5


def test_a_stream_that_breaks_after_its_first_words_is_told_as_it_is(fake: FakeMessages) -> None:
    fake.always = Fault("truncated")
    heard: list[str] = []
    found = made(fake).complete(ASK, heard.append)
    assert found.stop == "broken"
    assert found.text == "".join(heard) == "Because of the tides."
    assert len(fake.asked) == 1


def test_a_stream_that_drips_ends_in_time(fake: FakeMessages) -> None:
    fake.always = Fault("drip")
    started = time.monotonic()
    with pytest.raises(Unavailable, match="longer than"):
        made(fake, limits=Limits(retries=0, answer=0.4)).complete(ASK, lambda text: None)
    assert time.monotonic() - started < 3


@pytest.mark.parametrize(("kind", "stop"), [("refusal", "refused"), ("length", "length")])
def test_refusals_and_cut_answers_are_answers(fake: FakeMessages, kind: str, stop: str) -> None:
    fake.faults.append(Fault(kind))
    assert made(fake).complete(ASK).stop == stop
    assert len(fake.asked) == 1


@pytest.mark.parametrize(
    ("status", "advice"),
    [(401, "Check the API key"), (403, "API key"), (404, "llm.url"), (402, "topped up"), (413, "too large"), (400, "")],
)
def test_what_will_never_work_is_not_tried_again(fake: FakeMessages, status: int, advice: str) -> None:
    fake.always = Fault("status", status)
    with pytest.raises(Rejected, match=f"answered {status}.*{advice}"):
        made(fake, "claude-a", "claude-b").complete(ASK)
    assert len(fake.asked) == 1


def test_nobody_there() -> None:
    with pytest.raises(Unavailable, match="cannot be reached"):
        AnthropicLLM("http://127.0.0.1:9", KEY, ("m",), Limits(retries=0)).complete(ASK)


def test_closing_breaks_a_wait_off(fake: FakeMessages) -> None:
    import threading

    fake.always = Fault("status", 429, retry_after="9")
    llm = made(fake)
    threading.Timer(0.2, llm.close).start()
    started = time.monotonic()
    with pytest.raises(Unavailable):
        llm.complete(ASK)
    assert time.monotonic() - started < 3


# Secrets ----------------------------------------------------------------------------------------------------


def test_no_key_in_any_message_or_log(fake: FakeMessages, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    fake.always = Fault("status", 401, text=f"invalid x-api-key: {KEY}")
    with pytest.raises(Rejected) as caught:
        made(fake).complete(ASK)
    fake.always = Fault("reset")
    with pytest.raises(Unavailable) as other:
        made(fake).complete(ASK)
    for text in (str(caught.value), repr(caught.value), str(other.value), caplog.text):
        assert KEY not in text
        assert "kkkkkkkk" not in text


def test_no_secret_leaves(fake: FakeMessages) -> None:
    secret = "AKIA" + "Z9" * 8
    request = Request("s", (Turn("user", f'KEY = "{secret}"'),), 100, shared=f"see {secret}")
    made(fake).complete(request)
    made(fake).submit({"one": request})
    assert secret not in fake.everything()
    assert "[redacted]" in fake.everything()


# Batches ----------------------------------------------------------------------------------------------------


def test_a_batch_from_end_to_end(fake: FakeMessages) -> None:
    llm = made(fake)
    batch = llm.submit({"x-1": ASK, "x-2": ASK})
    assert (batch.ended, batch.total) == (False, 2)
    assert [item.id for item in llm.recent(batch.created - 1)] == [batch.id]
    assert llm.recent(batch.created + 60) == []
    assert llm.batch(batch.id).ended
    found = dict(llm.results(batch.id))
    assert {name: _text(answer) for name, answer in found.items()} == dict.fromkeys(
        ("x-1", "x-2"), "Because of the tides."
    )
    assert not fake.asked_at(f"/elsewhere/{batch.id}")


def _text(answer: Completion | PortError) -> str:
    assert isinstance(answer, Completion)
    return answer.text


def test_failed_requests_of_a_batch_are_told_apart(fake: FakeMessages) -> None:
    llm = made(fake)
    batch = llm.submit({"a": ASK, "b": ASK, "c": ASK})
    llm.batch(batch.id)
    fake.outcomes.extend([Fault("invalid_request_error"), None, Fault("api_error")])
    kinds = {name: type(answer) for name, answer in llm.results(batch.id)}
    assert kinds == {"a": Rejected, "b": Completion, "c": Unavailable}


def test_questions_about_batches_are_asked_again(fake: FakeMessages) -> None:
    llm = made(fake)
    batch = llm.submit({"a": ASK})
    fake.faults.extend([Fault("status", 529), Fault("reset"), Fault("malformed")])
    assert llm.batch(batch.id).id == batch.id
    with pytest.raises(Rejected, match="404"):
        llm.batch("msgbatch_none")
    with pytest.raises(Rejected, match="no id"):
        llm.batch("../x")
