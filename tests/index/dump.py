"""An index as plain values that do not depend on ids, to compare two of them row for row."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

QUERIES = {
    "files": "SELECT path, language, size, hex(hash), hex(lines), flags, skip, problems FROM files",
    "symbols": (
        "SELECT f.path, s.key, s.name, s.qual, s.kind, s.start, s.end, s.name_start, s.name_end, s.parent, s.flags, "
        "s.visibility, s.signature, s.doc, s.body_start FROM symbols s JOIN files f ON f.id = s.file_id"
    ),
    "edges": (
        "SELECT f.path, e.start, e.end, e.kind, e.evidence, c.key, g.path, t.key FROM edges e "
        "LEFT JOIN files f ON f.id = e.file_id LEFT JOIN symbols c ON c.id = e.caller "
        "LEFT JOIN symbols t ON t.id = e.callee LEFT JOIN files g ON g.id = t.file_id"
    ),
    "unresolved": (
        "SELECT f.path, u.start, u.end, u.name, u.why, c.key FROM unresolved u "
        "LEFT JOIN files f ON f.id = u.file_id LEFT JOIN symbols c ON c.id = u.caller"
    ),
    "relations": (
        "SELECT f.path, r.kind, r.evidence, c.key, g.path, t.key, r.dst_name FROM relations r "
        "LEFT JOIN files f ON f.id = r.file_id LEFT JOIN symbols c ON c.id = r.src "
        "LEFT JOIN symbols t ON t.id = r.dst LEFT JOIN files g ON g.id = t.file_id"
    ),
    "deps": "SELECT f.path, hex(d.keys) FROM deps d LEFT JOIN files f ON f.id = d.file_id",
    "units": (
        "SELECT f.path, u.id & 65535, u.symbol, u.kind, u.start, u.end, u.layer, u.framework, hex(u.content_hash), "
        "hex(u.words) FROM units u LEFT JOIN files f ON f.id = u.id >> 16"
    ),
    "unit texts": "SELECT hex(content_hash), text FROM unit_texts",
    "found names": "SELECT DISTINCT n.name FROM symbols s JOIN names n ON n.name = s.name WHERE s.key != ''",
}


def dump(database: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of an index, by table, sorted."""
    connection = sqlite3.connect(database)
    try:
        return {name: sorted(connection.execute(query).fetchall(), key=repr) for name, query in QUERIES.items()}
    finally:
        connection.close()


def difference(one: dict[str, list[tuple[Any, ...]]], other: dict[str, list[tuple[Any, ...]]]) -> str:
    """What only one of two dumps has, "" where they are equal."""
    lines = []
    for name in one:
        left, right = set(one[name]), set(other[name])
        lines += [f"only incremental: {name} {row}" for row in sorted(left - right, key=repr)[:10]]
        lines += [f"only cold: {name} {row}" for row in sorted(right - left, key=repr)[:10]]
        if left == right and one[name] != other[name]:
            lines.append(f"{name}: duplicates")
    return "\n".join(lines)
