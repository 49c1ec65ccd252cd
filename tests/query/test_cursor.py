"""What a name under the cursor means, where a variable holds something that has a definition too."""

from __future__ import annotations

from pathlib import Path

from nav_ls.query import cursor
from nav_ls.workspace.workspace import Workspace

APP = "const { make } = require('./make');\nconst app = make();\napp();\nmake();\n"
MAKE = "function serve() {}\nfunction make() { return serve; }\nmodule.exports = { make };\n"


def test_a_variable_is_meant_and_not_what_it_holds(tmp_path: Path) -> None:
    (tmp_path / "app.js").write_text(APP)
    (tmp_path / "make.js").write_text(MAKE)
    workspace = Workspace.open(tmp_path)
    try:
        workspace.sync()
        with workspace.snapshot() as snapshot:
            (bound,) = cursor.definitions(snapshot, "app.js", APP.index("app()"))
            assert (bound.name_span.path, bound.name_span.line) == ("app.js", 1)
            marked = cursor.highlight(snapshot, "app.js", APP.index("app()"))
            assert [(item.span.line, item.kind) for item in marked] == [(1, "write"), (2, "read")]
            (required,) = cursor.definitions(snapshot, "app.js", APP.rindex("make"))
            assert (required.name_span.path, required.name_span.line) == ("make.js", 1)
    finally:
        workspace.close()
