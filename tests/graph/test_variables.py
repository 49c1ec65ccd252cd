"""Variables, constants and fields: where they are read, written and called, across files."""

from __future__ import annotations

import pytest

from nav_ls.graph.link import Linker
from tests.cases.runner import Files

PYTHON = {
    "a.py": "MAX = 10\nhandler = make(print)\nfirst, *rest = MAX, 2\n\n\nclass C:\n    LIMIT = 3\n\n"
    "    def m(self):\n        local = 1\n        return self.LIMIT + local\n\n\ndef f():\n    pass\n\n\nf = wrap(f)\n",
    "b.py": "from a import MAX, C, f, handler\nfrom c import *\nimport a\n\n\ndef g(MIN):\n"
    "    a.MAX = MAX + MIN\n    handler(C.LIMIT)\n    f()\n    return OTHER\n",
    "c.py": "OTHER = 1\n_HIDDEN = 2\n",
}
TYPESCRIPT = {
    "a.ts": "export const SIZE = 3;\nconst inner = (x: number) => x;\nexport const wrapped = debounce(inner);\n"
    "export interface P { width: number; done: () => void }\nconst hidden = 1;\nexport { hidden as shown };\n",
    "b.ts": "export * from './a';\n",
    "c.ts": "import { SIZE, wrapped as w, P, shown } from './b';\nimport * as all from './b';\n"
    "export function g(p: P) {\n  w(SIZE);\n  all.wrapped(all.SIZE);\n  p.done();\n  return p.width + shown;\n}\n",
}
JAVASCRIPT = {
    "a.js": "const wrapped = memo(compute);\nmodule.exports.wrapped = wrapped;\n",
    "b.js": "const { wrapped } = require('./a');\nfunction g() { return wrapped(1); }\n",
}
GO = {
    "a.go": "package p\n\nconst Limit = 3\n\nvar Default = build()\n\ntype T struct{ Width int }\n",
    "b.go": "package p\n\nfunc g(t T) int {\n\tDefault()\n\treturn Limit + t.Width\n}\n",
}
C = {
    "a.h": "#define SIZE 4\nextern int limit;\nenum color { RED };\nextern int (*hook)(int);\n",
    "b.c": '#include "a.h"\nint m(int other) { return limit + other + SIZE + RED; }\n'
    "int n(int limit) { return hook(limit); }\nstatic int own = SIZE;\nint k(void) { return own; }\n",
    "c.c": "int p(void) { return limit + SIZE; }\n",
}
CASES = [
    (
        PYTHON,
        {
            "a.py:3 MAX": "references a.py:MAX exact",
            "a.py:11 LIMIT": "references a.py:C.LIMIT type",
            "b.py:1 MAX": "imports a.py:MAX exact",
            "b.py:1 handler": "imports a.py:handler exact",
            "b.py:7 MAX": "writes a.py:MAX exact",
            "b.py:7 MAX 2": "references a.py:MAX exact",
            "b.py:8 handler": "invokes a.py:handler exact",
            "b.py:8 LIMIT": "references a.py:C.LIMIT exact",
            "b.py:10 OTHER": "references c.py:OTHER exact",
        },
    ),
    (
        TYPESCRIPT,
        {
            "c.ts:1 SIZE": "imports a.ts:SIZE exact",
            "c.ts:1 wrapped": "imports a.ts:wrapped exact",
            "c.ts:1 shown": "imports a.ts:hidden exact",
            "c.ts:4 w": "invokes a.ts:wrapped exact",
            "c.ts:4 SIZE": "references a.ts:SIZE exact",
            "c.ts:5 wrapped": "invokes a.ts:wrapped exact",
            "c.ts:5 SIZE": "references a.ts:SIZE exact",
            "c.ts:6 done": "invokes a.ts:P.done type",
            "c.ts:7 width": "references a.ts:P.width type",
            "c.ts:7 shown": "references a.ts:hidden exact",
        },
    ),
    (
        JAVASCRIPT,
        {
            "a.js:2 wrapped": "writes a.js:wrapped exact",
            "a.js:2 wrapped 2": "references a.js:wrapped exact",
            "b.js:2 wrapped": "invokes a.js:wrapped exact",
        },
    ),
    (
        GO,
        {
            "b.go:4 Default": "invokes a.go:Default exact",
            "b.go:5 Limit": "references a.go:Limit exact",
            "b.go:5 Width": "references a.go:T.Width type",
        },
    ),
    (
        C,
        {
            "b.c:2 limit": "references a.h:limit exact",
            "b.c:2 SIZE": "references a.h:SIZE exact",
            "b.c:2 RED": "references a.h:color.RED exact",
            "b.c:3 hook": "invokes a.h:hook exact",
            "b.c:4 SIZE": "references a.h:SIZE exact",
            "b.c:5 own": "references b.c:own exact",
        },
    ),
]
KINDS = {"variable", "constant", "field", "enum_member"}


@pytest.mark.parametrize(("files", "expected"), CASES, ids=["python", "typescript", "javascript", "go", "c"])
def test_mentions_of_variables(files: dict[str, str], expected: dict[str, str]) -> None:
    source = Files({path: text.encode() for path, text in files.items()})
    linker = Linker(source)
    found: dict[str, str] = {}
    for path, text in files.items():
        for edge in linker.link(path).edges:
            target = linker.project.view(edge.callee[0])
            symbol = target.symbol(edge.callee[1]) if target is not None else None
            if symbol is None or symbol.kind not in KINDS:
                continue
            line = f"{path}:{text[: edge.start].count(chr(10)) + 1} {text[edge.start : edge.end]}"
            place = line if line not in found else f"{line} 2"
            found[place] = f"{edge.kind} {edge.callee[0]}:{symbol.qual} {edge.evidence}"
    assert found == expected
