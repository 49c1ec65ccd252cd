"""The evaluation as one HTML page without scripts or outside files: tables, bars, and every question."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from nav_ls.evaluate.evaluation import METRICS, Answered, Asked, Evaluation, Score

_COLOURS = {"lexical": "#b07d2b", "vector": "#3b7dd8", "hybrid": "#2c9c5a"}
_BAR, _ROW, _LABEL = 420, 22, 150
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; }
td, th { border-bottom: 1px solid #8884; padding: .25rem .8rem; text-align: right; }
td:first-child, th:first-child { text-align: left; }
details { margin: .3rem 0; } code { font-size: .9em; } .miss { color: #c33; } .ok { color: #2c9c5a; }
@media (prefers-color-scheme: dark) { body { background: #16181c; color: #ddd; } }
"""


def page(evaluation: Evaluation, title: str) -> str:
    """The page."""
    kinds = list(dict.fromkeys(score.kind for score in evaluation.scores))
    body = "\n".join(_kind(evaluation, kind) for kind in kinds)
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style><h1>{escape(title)}</h1>\n{body}</html>\n"
    )


def _kind(evaluation: Evaluation, kind: str) -> str:
    scores = [score for score in evaluation.scores if score.kind == kind]
    asked = [one for one in evaluation.questions if one.item.kind == kind]
    questions = "\n".join(_question(one) for one in asked)
    return f"<h2>{escape(kind)}: {scores[0].questions} questions</h2>{_table(scores)}{_plot(scores)}{questions}"


def _table(scores: list[Score]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in METRICS)
    rows = "".join(
        f"<tr><td>{escape(score.mode)}</td>"
        + "".join(
            f"<td>{(m := score.metrics[name]).mean:.3f}<br><small>{m.low:.2f} to {m.high:.2f}</small></td>"
            for name in METRICS
        )
        + "</tr>"
        for score in scores
    )
    return f"<table><tr><th></th>{head}</tr>{rows}</table>"


def _plot(scores: list[Score]) -> str:
    """Bars with their intervals, by measure and mode."""
    parts: list[str] = []
    y = 0
    for name in METRICS:
        for score in scores:
            parts += _bar(y, f"{name} {score.mode}", score, name)
            y += _ROW
        y += _ROW // 2
    width = _LABEL + _BAR + 60
    return (
        f'<svg width="{width}" height="{y}" role="img" aria-label="scores by measure and mode">{"".join(parts)}</svg>'
    )


def _bar(y: int, label: str, score: Score, name: str) -> Iterator[str]:
    found = score.metrics[name]
    middle = y + _ROW / 2
    colour = _COLOURS.get(score.mode, "#888")
    yield f'<text x="0" y="{middle + 4}" font-size="12" fill="currentColor">{escape(label)}</text>'
    yield f'<rect x="{_LABEL}" y="{y + 4}" width="{found.mean * _BAR:.1f}" height="{_ROW - 8}" fill="{colour}"/>'
    low, high = _LABEL + found.low * _BAR, _LABEL + found.high * _BAR
    yield f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{middle}" y2="{middle}" stroke="currentColor"/>'
    yield f'<text x="{high + 6:.1f}" y="{middle + 4}" font-size="12" fill="currentColor">{found.mean:.2f}</text>'


def _question(asked: Asked) -> str:
    target = asked.item.targets[0]
    where = f"{target.path}:{target.start_line}" if target.start_line else target.path
    answers = "".join(_answer(answer) for answer in asked.answers)
    ranks = ", ".join(f"{answer.mode} {answer.rank or '–'}" for answer in asked.answers)
    style = "ok" if all(answer.rank == 1 for answer in asked.answers) else "miss"
    return (
        f'<details><summary>{escape(asked.item.query)} <span class="{style}">({escape(ranks)})</span></summary>'
        f"<p>wanted: <code>{escape(where)}</code> {escape(asked.item.symbol)}</p>{answers}</details>"
    )


def _answer(answer: Answered) -> str:
    if not answer.instead:
        return ""
    rows = "".join(
        f"<li><code>{escape(hit.result.path)}:{hit.result.start_line}</code> {escape(hit.symbol)} "
        f"{hit.score:.2f} <small>{escape(hit.why)}</small></li>"
        for hit in answer.instead
    )
    return f"<p>{escape(answer.mode)} ranked instead:</p><ul>{rows}</ul>"
