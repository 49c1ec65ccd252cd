"""What a change reinvents, on small repositories."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from nav_ls.commands.conform import ConformParams, run_conform
from nav_ls.commands.model import Context
from nav_ls.evaluate.transforms import TRANSFORMS
from nav_ls.query.conform import clones
from nav_ls.text.errors import UsageError
from nav_ls.workspace.workspace import Workspace
from tests.copies import COPY, HELPER

NEW = """def mean_length(words):
    total = 0
    for word in words:
        total += len(word.strip().casefold())
    if not words:
        raise ValueError("no words to measure")
    return total / len(words)
"""


def git(root: Path, *arguments: str) -> str:
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", "-C", str(root), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def repository(root: Path, files: dict[str, str]) -> Path:
    git(root, "init", "-q")
    write(root, files)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    return root


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def conform(root: Path, **params: object) -> list[tuple[str, str, int]]:
    workspace = Workspace.open(root)
    try:
        workspace.sync()
        result = run_conform(workspace, ConformParams(**params), Context())  # type: ignore[arg-type]
        return [(row.rule, row.path, row.line) for row in result.findings]
    finally:
        workspace.close()


def test_a_renamed_copy_is_told_and_a_new_function_is_not(tmp_path: Path) -> None:
    root = repository(tmp_path, {"util/rows.py": HELPER})
    write(root, {"app/groups.py": COPY, "app/words.py": NEW})
    git(root, "add", "-A")
    assert conform(root, staged=True) == [("clone", "app/groups.py", 1)]


def test_a_file_that_git_does_not_know_yet(tmp_path: Path) -> None:
    root = repository(tmp_path, {"util/rows.py": HELPER, ".gitignore": "build/\n"})
    write(root, {"app/groups.py": COPY, "build/groups.py": COPY})
    assert conform(root) == [("clone", "app/groups.py", 1)]


def test_functions_are_kept_between_checks_and_follow_their_files(tmp_path: Path) -> None:
    root = repository(tmp_path, {"util/rows.py": HELPER})
    write(root, {"app/groups.py": COPY})
    workspace = Workspace.open(root)

    def findings() -> list[str]:
        workspace.sync()
        return [row.path for row in run_conform(workspace, ConformParams(), Context()).findings]

    try:
        assert findings() == ["app/groups.py"]
        write(root, {"app/groups.py": NEW})
        assert findings() == []
        write(root, {"app/groups.py": COPY, "util/rows.py": NEW})
        assert findings() == []
        write(root, {"util/rows.py": HELPER})
        assert findings() == ["app/groups.py"]
    finally:
        workspace.close()


def test_what_is_near_in_meaning_is_listed_when_asked_for(tmp_path: Path) -> None:
    root = repository(tmp_path, {"util/rows.py": HELPER, "util/words.py": NEW})
    write(
        root,
        {"app/rows.py": "def rows_in_groups(rows, size):\n    return [rows[i] for i in range(0, len(rows), size)]\n"},
    )
    workspace = Workspace.open(root)
    try:
        workspace.sync()
        (row,) = run_conform(workspace, ConformParams(related=1), Context()).related
        assert (row.symbol, [hit.symbol for hit in row.nearest]) == ("rows_in_groups", ["chunk_rows"])
        with pytest.raises(UsageError, match="between 0 and 20"):
            run_conform(workspace, ConformParams(related=21), Context())
    finally:
        workspace.close()


def test_where_the_added_calls_go(tmp_path: Path) -> None:
    root = repository(tmp_path, {"util/rows.py": HELPER})
    code = "from util.rows import chunk_rows\n\n\ndef report(rows):\n    print(len(rows), chunk_rows(rows, 2))\n"
    write(root, {"app/report.py": code})
    workspace = Workspace.open(root)
    try:
        workspace.sync()
        result = run_conform(workspace, ConformParams(), Context())
        assert (result.own_calls, result.outside_calls, result.unknown_calls) == (1, 2, 0)
    finally:
        workspace.close()


def test_a_range_of_commits_that_is_not_checked_out(tmp_path: Path) -> None:
    root = repository(tmp_path, {"util/rows.py": HELPER})
    write(root, {"app/groups.py": COPY})
    git(root, "add", "-A")
    git(root, "commit", "-qm", "copy")
    write(root, {"app/words.py": NEW})
    git(root, "add", "-A")
    git(root, "commit", "-qm", "new")
    assert conform(root, range="HEAD~2..HEAD~1") == [("clone", "app/groups.py", 1)]
    assert conform(root, range="HEAD~1..HEAD") == []
    assert "nav-conform" not in git(root, "worktree", "list")


def test_a_patch(tmp_path: Path) -> None:
    root = repository(tmp_path, {"util/rows.py": HELPER})
    lines = "".join(f"+{line}\n" for line in COPY.splitlines())
    patch = f"--- /dev/null\n+++ b/app/groups.py\n@@ -0,0 +1,{len(COPY.splitlines())} @@\n{lines}"
    assert conform(root, patch=patch) == [("clone", "app/groups.py", 1)]
    with pytest.raises(UsageError, match="does not apply"):
        conform(root, patch="--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n")


def test_tests_may_repeat_themselves_and_twins_may_be_alike(tmp_path: Path) -> None:
    root = repository(tmp_path, {"util/rows.py": HELPER})
    write(root, {"tests/test_rows.py": COPY})
    git(root, "add", "-A")
    assert conform(root, staged=True) == []


LONG = """def {name}(rows, limit):
    kept = []
    for row in rows:
        if row.amount > limit:
            kept.append(row.rounded())
        elif row.is_open:
            row.close(limit)
    total = sum(row.amount for row in kept)
    if total > limit:
        raise ValueError("too much in all")
    return kept, {result}
"""


def test_two_new_functions_that_do_the_same(tmp_path: Path) -> None:
    root = repository(tmp_path, {"util/rows.py": HELPER})
    for name in ("open", "paid"):
        write(root, {f"app/{name}.py": LONG.format(name=f"sum_{name}", result="total")})
    assert conform(root) == [("clone", "app/paid.py", 1)]


def test_functions_of_one_file_differ_in_something(tmp_path: Path) -> None:
    one = LONG.format(name="sum_open", result="total")
    root = repository(tmp_path, {"app/rows.py": one})
    write(root, {"app/rows.py": f"{one}\n\n{LONG.format(name='sum_paid', result='total - limit')}"})
    assert conform(root) == [("clone", "app/rows.py", 14)]
    waiting = one.replace("def sum_open", "async def sum_paid").replace("row.close", "await row.close")
    write(root, {"app/rows.py": f"{one}\n\n{waiting}"})
    assert conform(root) == []
    other = (
        "def sum_paid(rows, limit):\n    kept = [row for row in rows if row.paid]\n    return kept, sum(kept), limit\n"
    )
    write(root, {"app/rows.py": f"{one}\n\n{other}"})
    assert conform(root) == []


GETTER = """def get_{kind}(values, name):
    found = values.get(name)
    if found is not None and isinstance(found, {kind}):
        values.seen(name, found)
        return found
    return None
"""


def test_small_functions_of_one_file_count_in_numbers(tmp_path: Path) -> None:
    kinds = ["str", "int", "bool", "float", "list"]
    root = repository(tmp_path, {"app/values.py": GETTER.format(kind=kinds[0])})
    write(root, {"app/values.py": "\n\n".join(GETTER.format(kind=kind) for kind in kinds[:2])})
    assert conform(root) == []
    write(root, {"app/values.py": "\n\n".join(GETTER.format(kind=kind) for kind in kinds)})
    assert conform(root) == [("clone", "app/values.py", 9)]


def test_a_copied_file_is_told_once(tmp_path: Path) -> None:
    text = "\n\n".join([HELPER, NEW, LONG.format(name="sum_all", result="total")])
    # Another file has something like one of them as well, and comes before.
    root = repository(tmp_path, {"util/all.py": text, "base/rows.py": HELPER})
    write(root, {"app/all.py": text})
    workspace = Workspace.open(root)
    try:
        workspace.sync()
        (row,) = run_conform(workspace, ConformParams(), Context()).findings
        assert row.message.startswith("3 functions do what others of util/all.py do: chunk_rows, mean_length, sum_all")
    finally:
        workspace.close()


def test_what_was_formatted_or_moved_is_not_new(tmp_path: Path) -> None:
    root = repository(tmp_path, {"util/rows.py": HELPER, "app/groups.py": COPY})
    write(
        root,
        {
            "app/groups.py": "SIZE = 3\n\n\n"
            + COPY.replace("    ", "\t").replace("(items, most)", "(\n\titems,\n\tmost,\n)")
        },
    )
    assert conform(root) == []
    git(root, "mv", "app/groups.py", "app/runs.py")
    assert conform(root, staged=True) == []


def test_straight_lines_of_calls_are_alike_where_they_call_one_thing(tmp_path: Path) -> None:
    build = (
        "def {name}(keys, start, end):\n    arguments = command({name!r}).add(len(keys)).keys(keys)\n"
        "    arguments = arguments.add(start).add(end).add(limit()).add(order())\n"
        "    return Request(arguments, builder_of(pairs), timeout=timeout_of(keys), retries=retries_of(keys))\n"
    )
    root = repository(tmp_path, {"app/commands.py": build.format(name="first")})
    write(root, {"app/commands.py": "\n\n".join(build.format(name=name) for name in ("first", "second"))})
    assert conform(root) == []


def test_methods_of_one_name_have_to_be_alike_but_not_large_and_the_same(tmp_path: Path) -> None:
    indented = "".join(f"    {line}\n" for line in LONG.format(name="sums", result="total").splitlines())
    method = indented.replace("(rows", "(self, rows").replace(
        "        total =",
        "        self.store(kept)\n        for row in kept:\n            row.log(self.name, limit)\n            if row.late:\n                row.warn(self.name)\n            self.seen[row.key] = row\n            self.count += 1\n        self.last = kept[-1] if kept else None\n        total =",
    )
    root = repository(tmp_path, {"app/plain.py": f"class Plain:\n{method}"})
    waiting = method.replace("def ", "async def ").replace("self.store", "await self.store")
    write(root, {"app/waiting.py": f"class Waiting:\n{waiting}"})
    assert conform(root) == []
    write(root, {"app/waiting.py": f"class Waiting:\n{method}"})
    assert conform(root) == [("clone", "app/waiting.py", 2)]


def test_a_second_package_for_one_purpose(tmp_path: Path) -> None:
    users = {f"app/{name}.py": f"import requests\n\n\ndef {name}():\n    return requests.get('x')\n" for name in "abc"}
    root = repository(tmp_path, users)
    write(root, {"app/new.py": "import httpx\nimport json\n\n\ndef fetch():\n    return httpx.get('x')\n"})
    git(root, "add", "-A")
    assert conform(root, staged=True) == [("dependency", "app/new.py", 1)]
    git(root, "commit", "-qm", "second")
    text = (root / "app/new.py").read_text()
    write(root, {"app/new.py": f"import httpx  # once more\n{text}"})
    assert conform(root) == []


def test_going_past_the_layer_that_all_others_use(tmp_path: Path) -> None:
    store = "def put(row):\n    return row\n"
    service = "from db.store import put\n\n\n" + "\n\n".join(f"def save_{n}(row):\n    put(row)\n" for n in "abc")
    users = {f"web/{n}.py": f"from service.rows import save_{n}\n\n\ndef view_{n}():\n    save_{n}(1)\n" for n in "abc"}
    root = repository(tmp_path, {"db/store.py": store, "service/rows.py": service, **users})
    write(root, {"web/new.py": "from db.store import put\n\n\ndef view():\n    put(2)\n"})
    git(root, "add", "-A")
    assert conform(root, staged=True) == [("bypass", "web/new.py", 5)]


def test_printing_where_all_others_log(tmp_path: Path) -> None:
    logs = "import logging\n\nlogger = logging.getLogger(__name__)\n\n\ndef run_{n}():\n    logger.info('x')\n"
    root = repository(tmp_path, {f"app/{n}.py": logs.replace("{n}", n) for n in "abcd"})
    write(root, {"app/new.py": "def run():\n    print('x')\n"})
    git(root, "add", "-A")
    assert conform(root, staged=True) == [("deviation", "app/new.py", 2)]


def test_raising_a_general_error_where_all_others_raise_their_own(tmp_path: Path) -> None:
    raising = "from app.errors import AppError\n\n\ndef run_{n}(x):\n    if not x:\n        raise {error}('x')\n"
    files = {f"app/{n}.py": raising.replace("{n}", n) for n in "abcd"}
    new = {"app/new.py": "def run(x):\n    if not x:\n        raise Exception('x')\n"}
    own = {name: text.replace("{error}", "AppError") for name, text in files.items()}
    for name, texts, found in (
        ("own", own | {"app/errors.py": "class AppError(Exception):\n    pass\n"}, [("deviation", "app/new.py", 3)]),
        ("python's", {name: text.replace("{error}", "ValueError") for name, text in files.items()}, []),
    ):
        (tmp_path / name).mkdir()
        root = repository(tmp_path / name, texts)
        write(root, new)
        assert conform(root) == found


STEPS = "".join(
    f"def {name}(x):\n    return [x, {at}]\n\n\n" for at, name in enumerate("open read clean count sort store".split())
)
RUN = """from lib.steps import clean, count, open, read, sort, store


def nightly(path):
    rows = clean(read(open(path)))
    if not rows:
        raise ValueError(path)
    return store(sort(rows), count(rows))
"""


WEEKLY = """def weekly(paths):
    for path in paths:
        for line in clean(read(open(path))):
            stored = store(sort(line), count(line))
            print(stored, path)
"""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        # In the same order, by other code.
        (
            WEEKLY,
            True,
        ),
        # In another order.
        (
            "def weekly(path):\n    store(path, 0)\n    sort(count(path))\n    clean(read(path))\n    open(path)\n",
            False,
        ),
        # More besides.
        (
            "def weekly(path):\n    store(sort(clean(read(open(path)))), count(path))\n"
            + "    sort(path)\n    read(path)\n" * 3,
            False,
        ),
    ],
)
def test_the_same_calls_in_the_same_order(tmp_path: Path, text: str, told: bool) -> None:
    root = repository(tmp_path, {"lib/steps.py": STEPS, "lib/__init__.py": "", "jobs/nightly.py": RUN})
    write(root, {"app/weekly.py": RUN.partition("\n")[0] + "\n\n\n" + text})
    assert conform(root) == ([("sequence", "app/weekly.py", 4)] if told else [])


CHECKED = """def {0}(rows, owner=None):
{1}    for row in rows:
        row.{0}()
    return {0!r}
"""
PASTED = """    if owner is not None:
        warn(
            "passing an owner to {0} is deprecated",
            Deprecated,
            level=2,
        )
"""


@pytest.mark.parametrize(("times", "told"), [(3, [("clone", "app/jobs.py", 2)]), (2, [])])
def test_a_block_that_is_pasted_into_many_functions(
    tmp_path: Path, times: int, told: list[tuple[str, str, int]]
) -> None:
    names = ["open", "close", "sort", "move"]
    root = repository(tmp_path, {"app/jobs.py": "".join(CHECKED.format(name, "") for name in names)})
    pasted = [PASTED.format(name) if place < times else "" for place, name in enumerate(names)]
    write(root, {"app/jobs.py": "".join(CHECKED.format(*pair) for pair in zip(names, pasted, strict=True))})
    assert conform(root) == told


def test_a_tree_that_mirrors_another_is_no_reinvention(tmp_path: Path) -> None:
    large = LONG.format(name="sum_all", result="total")
    root = repository(tmp_path, {"src/lib/old.py": NEW, "mirror/lib/old.py": NEW})
    write(root, {"src/lib/rows.py": large, "mirror/lib/rows.py": large})
    assert conform(root) == []
    (root / "mirror/lib/rows.py").unlink()
    write(root, {"mirror/lib/other.py": large})
    assert conform(root) == [("clone", "src/lib/rows.py", 1)]


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"range": "nothing..HEAD"}, "no commit 'nothing'"),
        ({"range": "HEAD..HEAD", "staged": True}, "give one of"),
        ({"threshold": 2.0}, "between 0 and 1"),
    ],
)
def test_bad_input(tmp_path: Path, params: dict[str, object], message: str) -> None:
    root = repository(tmp_path, {"a.py": NEW})
    with pytest.raises(UsageError, match=message):
        conform(root, **params)


@pytest.mark.parametrize("name", TRANSFORMS)
def test_transformed_copies_are_alike(name: str) -> None:
    body = HELPER.removeprefix("def chunk_rows")
    copy = TRANSFORMS[name]("chunk_rows", body, random.Random(1))
    assert copy is not None
    one, other = clones.fingerprint(body.encode(), "python"), clones.fingerprint(copy.encode(), "python")
    new = clones.fingerprint(NEW.encode(), "python")
    assert one is not None
    assert other is not None
    assert new is not None
    index = clones.Index([one])
    assert index.like(other, least=clones.threshold(other))
    assert not index.like(new, least=clones.threshold(new))
