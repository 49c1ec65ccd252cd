from nav_ls.graph.model import symbol_keys
from nav_ls.syntax.facts import FileFacts, Symbol


def symbol(qual: str, start: int) -> Symbol:
    return Symbol(qual.rpartition(".")[2], qual, "function", start, start + 5, start, start + 1)


def test_keys_tell_homonyms_apart_by_position() -> None:
    facts = FileFacts("python", symbols=(symbol("a.f", 30), symbol("a", 0), symbol("a.f", 10), symbol("a.f", 50)))
    assert symbol_keys(facts) == ("a.f#1", "a", "a.f", "a.f#2")
