"""Words: how identifiers, prose and questions become the terms that lexical search compares.

Text in any alphabet yields terms.  Identifiers are split at camelCase, snake_case and digits; words are
reduced to a rough stem, the same for what is indexed and for what is asked, so it need not be a real word.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

WORD = re.compile(r"[^\W\d]\w*|\d+")
_BETWEEN_WORDS = {code: " " for code in range(128) if not WORD.match(chr(code))}
_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_FOREIGN_PIECE = re.compile(r"[^\W\d_]+|\d+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")

STOP = frozenset(
    [
        "a",
        "about",
        "across",
        "all",
        "an",
        "and",
        "any",
        "any",
        "are",
        "as",
        "at",
        "be",
        "been",
        "between",
        "by",
        "can",
        "could",
        "do",
        "does",
        "did",
        "each",
        "for",
        "from",
        "had",
        "has",
        "have",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "like",
        "may",
        "me",
        "my",
        "no",
        "not",
        "of",
        "on",
        "or",
        "our",
        "out",
        "per",
        "please",
        "show",
        "so",
        "some",
        "such",
        "than",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "to",
        "up",
        "us",
        "use",
        "used",
        "uses",
        "using",
        "via",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "who",
        "whose",
        "why",
        "will",
        "with",
        "within",
        "would",
        "you",
        "your",
    ]
)
"""Words of a question that say nothing about code.  Not dropped from what is indexed."""

FOLDERS = 2
"""How many of a file's folders take part in its place."""
UMBRELLAS = frozenset({"__init__", "index", "mod", "main", "lib", "init"})
"""File names that say nothing: the folder's name stands for them."""

_ENDINGS = ["ization", "ations", "ation", "izer", "ment", "ity", "ize", "ion", "er", "or", "al", "ly", "e", "y", "i"]
MIN_STEM = 3


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A rough stem of a lower-case word: `registered`, `registers`, `registering` and `register` meet."""
    if len(word) <= MIN_STEM or not word.isascii():
        return word
    word = _without_inflection(word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= MIN_STEM:
            return word[: -len(ending)]
    return word


def _without_inflection(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= MIN_STEM:
            word = word[: -len(ending)]
            if word[-1] == word[-2] and word[-1] not in "ls":
                word = word[:-1]
            break
    return word


@lru_cache(maxsize=65536)
def pieces(identifier: str) -> tuple[str, ...]:
    """The words in an identifier, lower-case: `getHTTPServer_v2` → get, http, server, v, 2."""
    if identifier.isascii():
        return tuple(piece.lower() for piece in _PIECE.findall(identifier))
    found: list[str] = []
    for piece in _FOREIGN_PIECE.findall(identifier):
        found.extend(_pairs(piece) if _CJK.search(piece) else (piece.lower(),))
    return tuple(found)


@lru_cache(maxsize=65536)
def word_terms(word: str) -> tuple[str, ...]:
    """The terms of one word: the stems of its pieces, and before them the whole if it has several."""
    split = pieces(word)
    stems = tuple(stem(piece) for piece in split)
    return (whole(word), *stems) if len(split) > 1 else stems


def whole(identifier: str) -> str:
    """An identifier as one term."""
    return identifier.strip("_").lower()


def terms(text: str) -> list[str]:
    """The terms of a text to be found, in order, repeats kept."""
    return [term for word in WORD.findall(text) for term in word_terms(word)]


def stems(text: str) -> list[str]:
    """Like `terms`, without whole identifiers."""
    return [stem(piece) for word in WORD.findall(text) for piece in pieces(word)]


def question_terms(text: str, limit: int = 64) -> list[str]:
    """The distinct terms of a question, in order, at most `limit`.  Stop words count only when there is nothing else."""
    words = WORD.findall(text)
    found = [term for word in words if word.lower() not in STOP for term in word_terms(word) if term not in STOP]
    if not found:
        found = [term for word in words for term in word_terms(word)]
    return list(dict.fromkeys(found))[:limit]


def joined_pairs(text: str) -> set[str]:
    """Neighbouring words run together: `thread pool` also means `threadpool`."""
    split = [piece for word in WORD.findall(text) for piece in pieces(word)]
    return {first + second for first, second in pairwise(split)}


def named_in(text: str) -> set[str]:
    """The words of a question that are written like code: `parse_args`, `JsonReader`, `Flask`.

    A capital at the start of a sentence proves nothing; a question of one word names that word.
    """
    words = WORD.findall(text)
    if len(words) == 1:
        return {words[0]}
    found = set()
    for position, word in enumerate(words):
        inner = word.strip("_")
        if (len(pieces(word)) > 1 and not inner.isdigit()) or (
            position > 0 and inner[:1].isupper() and inner.lower() not in STOP
        ):
            found.add(word)
    return found


def spoken(word: str) -> str:
    """A word of a text as one compares it: in lower case, without punctuation and a genitive's ending."""
    return "".join(WORD.findall(re.sub(r"['’]s\b", "", word))).strip("_").lower()


def without(text: str, left_out: Collection[str]) -> str:
    """A text without some of its words (see `spoken`); the whole text where nothing that tells would be left."""
    kept = [word for word in text.split() if spoken(word) not in left_out]
    return " ".join(kept) if any(spoken(word) not in STOP for word in kept) else text


def words_of(text: str) -> list[str]:
    """The words and identifiers of a text, in order (as `WORD` finds them, which takes three times as long)."""
    if not text.isascii():
        return WORD.findall(text)
    words = text.translate(_BETWEEN_WORDS).split()
    mixed = [place for place, word in enumerate(words) if word[0] <= "9" and not word.isdigit()]
    for place in reversed(mixed):  # `4th` is two of them
        words[place : place + 1] = WORD.findall(words[place])
    return words


_WORD_LENGTH = 6
"""Characters of a word with its space, by which most texts have their length reached."""


def thin(words: Sequence[str], limit: int) -> str:
    """Code as words: identifiers split, punctuation gone.  Costs an embedder a fifth less, at equal quality.

    At least the first `limit` characters of that (all, if there are fewer); what follows may be missing.
    """
    first = limit // _WORD_LENGTH
    few = " ".join(map(_spaced, words[:first]))
    if len(words) <= first or len(few) >= limit:
        return few
    return " ".join((few, *map(_spaced, words[first : limit + 1])))  # each adds a space at least


@lru_cache(maxsize=65536)
def _spaced(word: str) -> str:
    return " ".join(pieces(word))


def term_text(words: Iterable[str]) -> str:
    """The terms of words as a full-text index takes them: separated by spaces."""
    return " ".join(filter(None, map(_word_term_text, words)))


@lru_cache(maxsize=65536)
def _word_term_text(word: str) -> str:
    return " ".join(word_terms(word))


def place_of(path: str) -> tuple[str, tuple[str, ...]]:
    """A file's telling name and the folders around it."""
    *folders, name = path.split("/")
    stem = name.rsplit(".", 1)[0] or name
    if stem in UMBRELLAS and folders:
        stem = folders[-1]
    return stem, tuple(folders[-FOLDERS:])


def _pairs(run: str) -> list[str]:
    """Overlapping pairs of characters, for scripts that write no spaces."""
    return [run] if len(run) < 2 else [run[i : i + 2] for i in range(len(run) - 1)]
