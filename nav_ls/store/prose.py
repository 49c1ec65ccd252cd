"""What a language model wrote, by the content that it is about: shared by all branches, and never paid twice.

Beside it lies what must not be lost either: batches that were handed in, conversations, and what questions cost.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

import msgspec

from nav_ls.ports import Turn, Usage
from nav_ls.store.content import PROSE, RECORDS, Key, Part
from nav_ls.text.errors import BusyError

_BATCH, _CONVERSATION, _SPENT = "batch", "conversation", "spent"
_ASK = "ask"
_TRIES = 5
"""Times that a paid answer is offered to a busy database, each of which waits for some seconds."""
T = TypeVar("T")


class Prose(msgspec.Struct, frozen=True):
    """What a definition is for.  `why` is its purpose for those who use the program; all of it on one line each."""

    summary: str
    tags: tuple[str, ...] = ()
    why: str = ""
    responsibilities: tuple[str, ...] = ()

    @property
    def searched(self) -> str:
        """What of it is searched."""
        return " ".join(part for part in (self.summary, self.why, " ".join(self.tags)) if part)


class Written(msgspec.Struct, frozen=True, omit_defaults=True):
    """One stored answer: prose about a definition, a text about the project, or the problem that there is none.

    `usage` and `usd` are its share of what was paid; `at` is in seconds since the epoch.
    """

    prose: Prose | None = None
    text: str = ""
    problem: str = ""
    at: float = 0.0
    usage: Usage = Usage()
    usd: float = 0.0


class Pending(msgspec.Struct, frozen=True):
    """A batch that was handed in.  `id` is "" until the provider's answer was seen.

    `requests`: which subjects each request of the batch is about, by the request's name.
    """

    nonce: str
    id: str
    prompt: str
    model: str
    created: float
    requests: dict[str, list[str]]


class Asked(msgspec.Struct, frozen=True):
    """One question of a conversation with its answer."""

    question: str
    answer: str

    @property
    def turns(self) -> tuple[Turn, Turn]:
        """As a model is told it."""
        return Turn("user", self.question), Turn("assistant", self.answer)


class Conversation(msgspec.Struct, frozen=True):
    """The last questions of a conversation; `at`: when it was last continued, in seconds since the epoch."""

    asked: tuple[Asked, ...] = ()
    at: float = 0.0


class Spent(msgspec.Struct, frozen=True):
    """What all questions of a repository took so far."""

    questions: int = 0
    usage: Usage = Usage()
    usd: float = 0.0


class ProseStore(Part):
    """Subjects are hashes in hex.  Not for several threads at once."""

    # --- prose

    def get(self, subjects: Iterable[str]) -> dict[str, Prose]:
        """The latest prose about these subjects, as far as there is any."""
        found: dict[str, tuple[float, Prose]] = {}
        for key, data in self._content.below(PROSE, ((subject,) for subject in subjects)).items():
            written = _decoded(data, Written)
            if written is None or written.prose is None:
                continue
            known = found.get(str(key[0]))
            if known is None or known[0] <= written.at:
                found[str(key[0])] = (written.at, written.prose)
        return {subject: prose for subject, (_, prose) in found.items()}

    def subjects(self) -> set[str]:
        """All subjects that something was written about."""
        return {str(key[0]) for key in self._content.keys(PROSE)}

    def settled(self, prompt: str) -> dict[str, Written]:
        """The answers to one version of a prompt, by subject."""
        keys = [key for key in self._content.keys(PROSE) if key[1] == prompt]
        found: dict[str, Written] = {}
        for key, data in self._content.get(PROSE, keys).items():
            written = _decoded(data, Written)
            known = found.get(str(key[0]))
            # Where one model failed and another did not, the answer counts.
            if written is not None and (known is None or known.problem):
                found[str(key[0])] = written
        return found

    def latest_text(self, prompt: str) -> tuple[str, str]:
        """(subject, text) of the latest text that answers a prompt, "" and "" where there is none."""
        found = [(written.at, subject, written.text) for subject, written in self.settled(prompt).items()]
        return max(found)[1:] if found else ("", "")

    def stamp(self) -> str:
        """Another one whenever something was written."""
        return self._content.stamp(PROSE)

    def put(self, prompt: str, model: str, written: Mapping[str, Written]) -> None:
        """Keep answers; they are safe when this returns."""
        rows: dict[Key, bytes] = {
            (subject, prompt, model): msgspec.json.encode(item) for subject, item in written.items()
        }
        _patiently(lambda: self._content.put(PROSE, rows))

    def keep_only(self, subjects: set[str], others: int) -> int:
        """Drop what is about other subjects, but for the latest `others`: it cost money, and a branch may come back."""
        rest = [key for key in self._content.keys(PROSE) if key[0] not in subjects]
        ages = {
            str(key[0]): written.at
            for key, data in self._content.get(PROSE, rest).items()
            if (written := _decoded(data, Written)) is not None
        }
        late = sorted(ages, key=lambda subject: -ages[subject])[:others]
        if len(late) == len({key[0] for key in rest}):
            return 0
        where = "content_hash NOT IN (SELECT value FROM kept_subjects)"
        return self._content.drop(PROSE, where, {"kept_subjects": {*subjects, *late}})

    # --- batches

    def note(self, batch: Pending) -> None:
        """Remember a batch: before it is handed in, so that it can be found again, and again with its id."""
        self._record(_BATCH, batch.nonce, batch)

    def forget(self, batch: Pending) -> None:
        """A batch is collected, or will never have results."""
        self._drop(_BATCH, batch.nonce)

    def pending(self) -> list[Pending]:
        """The batches that were handed in and are not collected, the first one first."""
        return sorted(self._records(_BATCH, Pending).values(), key=lambda batch: (batch.created, batch.nonce))

    # --- conversations

    def conversation(self, name: str) -> Conversation:
        """A conversation so far."""
        return self._records(_CONVERSATION, Conversation).get(name) or Conversation()

    def say(self, name: str, asked: Asked, most: int, conversations: int) -> None:
        """Continue a conversation, of which the last `most` questions are kept, and of all the `conversations` latest."""
        known = self._records(_CONVERSATION, Conversation)
        before = known[name].asked if name in known else ()
        for old in sorted(known.keys() - {name}, key=lambda other: -known[other].at)[conversations - 1 :]:
            self._drop(_CONVERSATION, old)
        self._record(_CONVERSATION, name, Conversation((*before, asked)[-most:], time.time()))

    # --- what questions cost

    def spent(self) -> Spent:
        """The sum over all questions."""
        return self._records(_SPENT, Spent).get(_ASK) or Spent()

    def spend(self, usage: Usage, usd: float) -> None:
        """Add a question to the sum."""
        before = self.spent()
        self._record(_SPENT, _ASK, Spent(before.questions + 1, before.usage.plus(usage), before.usd + usd))

    # --- inside

    def _record(self, kind: str, name: str, value: msgspec.Struct) -> None:
        _patiently(lambda: self._content.put(RECORDS, {(kind, name): msgspec.json.encode(value)}))

    def _records(self, kind: str, type_: type[T]) -> dict[str, T]:
        rows = self._content.below(RECORDS, [(kind,)])
        found = ((str(key[1]), _decoded(data, type_)) for key, data in rows.items())
        return {name: value for name, value in found if value is not None}

    def _drop(self, kind: str, name: str) -> None:
        # Names are compared through a table of one column; kinds are ours and need no quoting.
        where = f"kind = '{kind}' AND name IN (SELECT value FROM dropped_records)"
        _patiently(lambda: self._content.drop(RECORDS, where, {"dropped_records": {name}}))


def _decoded(data: bytes, kind: type[T]) -> T | None:
    """None for what another version has written."""
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.MsgspecError:
        return None


def _patiently(write: Callable[[], object]) -> None:
    """What was paid for is worth some waiting."""
    for _ in range(_TRIES - 1):
        try:
            write()
        except BusyError:
            continue
        return
    write()
