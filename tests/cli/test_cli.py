import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from nav_ls.cli.app import main
from nav_ls.store import health
from nav_ls.text.errors import StorageError

FILES = {
    "pkg/__init__.py": "",
    "pkg/base.py": "class Base:\n    def run(self):\n        return 1\n\n\ndef helper():\n    return Base().run()\n",
    "pkg/use.py": "from pkg.base import Base, helper\n\n\nclass Sub(Base):\n    def run(self):\n        return 2\n\n\n"
    "def caller(x):\n    x.run()\n    return helper(), map(helper, [])\n\n\nhelper()\n",
}


def lay(root: Path) -> Path:
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """For tests that do not change it."""
    return lay(tmp_path_factory.mktemp("repo"))


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    return lay(tmp_path)


def run(capsys: pytest.CaptureFixture[str], repo: Path, *arguments: str) -> tuple[int, str, str]:
    code = main([*arguments, "-C", str(repo)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_first_command_indexes_and_answers(fresh: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, fresh, "callers", "helper", "--json")
    assert code == 0
    answer = json.loads(out)
    assert [(row["path"], row["symbol"], row["line"], row["evidence"]) for row in answer["callers"]] == [
        ("pkg/use.py", "<module>", 0, "exact"),
        ("pkg/use.py", "caller", 9, "exact"),
    ]
    assert answer["callers"][1]["sites"] == [{"line": 11, "column": 12}]
    assert [(row["symbol"], row["sites"]) for row in answer["uses"]] == [("caller", [{"line": 11, "column": 26}])]
    assert answer["symbol"]["symbol"] == "helper"
    assert answer["freshness"]["stale"] is False


def test_possible_callers_are_told_apart(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, repo, "callers", "Sub.run", "--json")
    assert code == 0
    answer = json.loads(out)
    assert answer["callers"] == []
    assert {(row["symbol"], row["why"], row["via"]) for row in answer["possible"]} == {
        ("helper", "dispatch", "pkg/base.py:Base.run"),
        ("caller", "unresolved", ""),
    }
    _, text, _ = run(capsys, repo, "callers", "Sub.run")
    assert "0 resolved; 2 possible sites" in text


def test_ambiguous_names_list_their_candidates(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, repo, "callers", "run")
    assert (code, out) == (2, "")
    assert "pkg/base.py:Base.run" in err
    assert "pkg/use.py:Sub.run" in err


@pytest.mark.parametrize(
    "target", ["pkg/base.py:helper", "base.py:6", "pkg/base.py:7", "./pkg/base.py:helper", "helper"]
)
def test_ways_to_name_a_definition(repo: Path, capsys: pytest.CaptureFixture[str], target: str) -> None:
    code, out, _ = run(capsys, repo, "callees", target, "--json")
    assert code == 0
    answer = json.loads(out)
    assert answer["symbol"]["symbol"] == "helper"
    assert [row["symbol"] for row in answer["callees"]] == ["Base", "Base.run"]


def test_export_has_one_edge_a_line(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, repo, "graph", "export", "--format", "jsonl")
    assert code == 0
    rows = [json.loads(line) for line in out.splitlines()]
    assert {
        "kind": "calls",
        "evidence": "exact",
        "caller_path": "pkg/use.py",
        "caller_name": "<module>",
        "caller_line": 0,
        "callee_path": "pkg/base.py",
        "callee_name": "helper",
        "callee_line": 6,
        "site_line": 14,
        "site_col": 1,
    } in rows


@pytest.mark.parametrize("form", ["dot", "graphml"])
def test_export_for_other_tools(repo: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    code, out, _ = run(capsys, repo, "graph", "export", "--format", form)
    assert code == 0
    assert "helper" in out


@pytest.mark.parametrize(
    "arguments",
    [
        ["callers"],
        ["callers", ""],
        ["callers", "helper", "--limit", "0"],
        ["nothing"],
        ["graph", "deps", ""],
        ["graph", "export", "--kind", "nonsense"],
        ["graph", "export", "--format", "png"],
        ["conform", "--patch", "nosuch.patch"],
        ["conform", "--patch", "."],
    ],
)
def test_bad_usage_is_an_error_without_a_traceback(
    repo: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    try:
        code, out, err = run(capsys, repo, *arguments)
    except SystemExit as error:  # argparse's own way out
        code, (out, err) = int(str(error.code)), capsys.readouterr()
    assert code == 2
    assert out == ""
    assert err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "target", ["nosuch", "nosuch.py:1", "pkg/base.py:999", "pkg/base.py:nosuch", ":", "a:b:c", "😀"]
)
def test_what_is_not_there(repo: Path, capsys: pytest.CaptureFixture[str], target: str) -> None:
    code, out, err = run(capsys, repo, "callers", target)
    assert (code, out) == (3, "")
    assert err.startswith("nav: ")
    assert "Traceback" not in err


def test_a_missing_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, tmp_path / "missing", "status")
    assert code == 2
    assert "no such folder" in err


def test_status_counts_and_lists_what_is_left_out(fresh: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (fresh / "pkg" / "blob.py").write_bytes(b"\0\1\2\3" * 100)
    run(capsys, fresh, "index")
    _, out, _ = run(capsys, fresh, "status", "--json")
    answer = json.loads(out)
    assert answer["files"] == 3
    assert answer["languages"] == {"python": 3}
    assert answer["skipped"] == [{"path": "pkg/blob.py", "reason": "binary"}]
    (fresh / "pkg" / "new.py").write_text("def new(): pass\n")
    _, out, _ = run(capsys, fresh, "status")
    assert "stale: 1 file has changed since" in out


def test_index_counts_files_of_code_and_tells_the_others(fresh: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (fresh / "README.md").write_text("# Notes\n")
    (fresh / "pkg" / "blob.py").write_bytes(b"\0\1\2\3" * 100)
    _, out, _ = run(capsys, fresh, "index")
    assert out.startswith("3 files: 3 changed, 0 removed, 3 linked in ")
    assert "; 2 others changed (texts, settings, what is left out)\n" in out
    _, out, _ = run(capsys, fresh, "index")
    assert out.startswith("3 files: 0 changed, 0 removed, 0 linked in ")
    assert "others" not in out


def test_status_before_the_first_index(fresh: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, fresh, "status")
    assert code == 0
    assert "not indexed yet" in out


def test_status_shows_the_chain_of_branches(fresh: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=n", "-c", "user.email=n@example.com", "-c", "commit.gpgsign=false")
        subprocess.run(["git", "-C", fresh, *identity, *arguments], check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    git("add", "-A")
    git("commit", "-qm", "one")
    run(capsys, fresh, "index")
    git("switch", "-qc", "feature")
    _, out, _ = run(capsys, fresh, "status")
    assert "not indexed yet: `nav index` goes on from one of these\n  main: generation 1, " in out
    run(capsys, fresh, "index")
    _, out, _ = run(capsys, fresh, "status")
    assert re.search(r"  feature: generation \d, .*, from main\n  main: ", out)
    git("branch", "-m", "renamed")
    run(capsys, fresh, "index")
    _, out, _ = run(capsys, fresh, "status")
    assert re.search(r"  renamed: generation \d, .*, from feature, which is gone\n  main: ", out)


def test_a_branch_that_git_would_not_make_moves_no_cursor(fresh: Path, capsys: pytest.CaptureFixture[str]) -> None:
    subprocess.run(["git", "init", "-q", fresh], check=True)
    (fresh / ".git" / "HEAD").write_text("ref: refs/heads/\x1b[31mred\n")
    for command in ("index", "status"):
        _, out, _ = run(capsys, fresh, command)
        assert "\x1b" not in out
        assert "\\x1b[31mred" in out


def test_the_doctor_calls_nothing_damaged_that_may_not_be_opened(
    fresh: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(capsys, fresh, "index")

    def refused(path: Path, _: str) -> None:
        raise StorageError(f"{path} cannot be opened")

    monkeypatch.setattr(health.database, "open_readable", refused)
    code, out, _ = run(capsys, fresh, "doctor")
    assert code != 0
    assert re.search(r"FAIL  facts\.db: .*facts\.db cannot be opened\n", out)
    assert "damaged" not in out


def test_dependencies(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, repo, "graph", "deps", "pkg/use.py", "--json")
    assert json.loads(out)["dependencies"] == [{"path": "pkg/base.py", "imports": True, "sites": 7}]
    _, out, _ = run(capsys, repo, "graph", "dependents", "base.py", "--json")
    assert [row["path"] for row in json.loads(out)["dependencies"]] == ["pkg/use.py"]


def test_top(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, repo, "graph", "top", "--limit", "1", "--json")
    (row,) = json.loads(out)["rows"]
    assert (row["symbol"]["symbol"], row["callers"], row["sites"]) == ("helper", 2, 2)


def test_symbols_by_parts_of_their_name(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, repo, "symbols", "hlp", "--json")
    assert [row["symbol"] for row in json.loads(out)["symbols"]] == ["helper"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    assert main(["completion", shell]) == 0
    assert "callers" in capsys.readouterr().out


def test_hostile_names_are_spelled_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a\x1b[31m\nb.py").write_text("def f(): pass\n\nf()\n")
    code, out, _ = run(capsys, tmp_path, "callers", "f")
    assert code == 0
    assert "\x1b[31m" not in out
    assert "a\\x1b[31m\\nb.py" in out


def test_a_property_is_one_thing_to_who_names_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.py").write_text(
        "def load():\n    return 1\n\n\ndef keep(value):\n    return value\n\n\n"
        "class Box:\n    @property\n    def size(self):\n        return load()\n\n"
        "    @size.setter\n    def size(self, value):\n        keep(value)\n\n\n"
        "def reads(box: Box):\n    return box.size\n\n\ndef writes(box: Box):\n    box.size = 3\n"
    )
    code, out, _ = run(capsys, tmp_path, "callers", "Box.size", "--json")
    assert code == 0
    assert [row["symbol"] for row in json.loads(out)["callers"]] == ["reads", "writes"]
    _, out, _ = run(capsys, tmp_path, "callees", "Box.size", "--json")
    assert [row["symbol"] for row in json.loads(out)["callees"]] == ["load", "keep"]
    _, out, _ = run(capsys, tmp_path, "callers", "a.py:15", "--json")
    assert [row["symbol"] for row in json.loads(out)["callers"]] == ["writes"]


def test_what_may_be_none_may_be_anything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.py").write_text(
        "class Query:\n    def chain(self):\n        return self\n\n\n"
        "class Holder:\n    def __init__(self, query=None):\n        self.query = query\n\n"
        "    def run(self):\n        return self.query.chain()\n"
    )
    code, out, _ = run(capsys, tmp_path, "callers", "chain", "--json")
    assert code == 0
    answer = json.loads(out)
    assert answer["callers"] == []
    assert [(row["symbol"], row["why"]) for row in answer["possible"]] == [("Holder.run", "unresolved")]


def test_a_call_of_some_function_is_a_possible_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.js").write_text(
        "function cacheable(fn) {\n  /** @type {((x: number) => number) & {more: string}} */\n  const cached = (x) => fn(x);\n"
        "  return cached;\n}\n\nconst size = cacheable((x) => x);\n\nfunction use() {\n  return size(3);\n}\n"
    )
    code, out, _ = run(capsys, tmp_path, "callers", "size", "--json")
    assert code == 0
    answer = json.loads(out)
    assert [row["symbol"] for row in [*answer["callers"], *answer["possible"]]] == ["use"]


def test_one_senseless_question_of_a_batch_keeps_no_other_from_an_answer(
    fresh: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    questions = [{"query": "helper", "id": 1}, {"query": ""}, {"query": "run", "layer": ["nosuch"]}, {"query": "run"}]
    file = tmp_path / "questions.jsonl"
    file.write_text("\n".join(map(json.dumps, questions)))
    code, out, _ = run(capsys, fresh, "search", "--batch", str(file), "--mode", "lexical")
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 2
    assert [(row["query"], "hits" in row, row.get("error", "")[:23]) for row in rows] == [
        ("helper", True, ""),
        ("", False, "the question is empty"),
        ("run", False, "nothing here has the la"),
        ("run", True, ""),
    ]
    assert rows[0]["id"] == 1


def test_a_batch_that_is_not_there(fresh: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, error = run(capsys, fresh, "search", "--batch", "/nosuch")
    assert (code, error) == (2, "nav: /nosuch cannot be read: No such file or directory\n")


@pytest.mark.parametrize("most", ["-k", "--limit"])
def test_search_has_as_many_hits_as_wanted(capsys: pytest.CaptureFixture[str], repo: Path, most: str) -> None:
    code, out, _ = run(capsys, repo, "search", "base helper that runs", most, "1", "--json", "--mode", "lexical")
    assert code == 0
    assert len(json.loads(out)["hits"]) == 1


def test_the_snippet_of_several_definitions_is_of_the_one_that_is_meant(
    repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(capsys, repo, "search", "base helper that runs", "--json", "--mode", "lexical")
    assert code == 0
    hit = next(hit for hit in json.loads(out)["hits"] if hit["symbol"] == "helper")
    assert (hit["start_line"], hit["line"], hit["also"]) == (1, 6, ["Base"])
    assert hit["snippet"] == "def helper():\n    return Base().run()"


def test_a_block_of_several_definitions_says_which_lines_it_shows(
    repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    question = ("base helper that runs", "--mode", "lexical", "--exclude-tests")
    _, out, _ = run(capsys, repo, "search", *question, "--context", "--json")
    block = next(block for block in json.loads(out)["context"] if block["symbol"] == "helper")
    assert (block["start_line"], block["end_line"]) == (1, 7)
    assert block["text"].startswith("pkg/base.py:1-7\nsymbol: helper\nwith: Base\nkind: function\n")
    assert block["text"].endswith(
        "class Base:\n    def run(self):\n        return 1\n\n\ndef helper():\n    return Base().run()\n"
    )


@pytest.fixture
def twins(tmp_path: Path) -> Path:
    """Two files of one name, one of them at the root."""
    for name in ("tool.py", "pkg/tool.py"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("def work():\n    return 1\n")
    return tmp_path


def one(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """The files of the definitions that `nav defs` finds."""
    assert main(["defs", *arguments, "--json"]) == 0
    return [row["path"] for row in json.loads(capsys.readouterr().out)["symbols"]]


def test_a_whole_path_means_that_file_alone(twins: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert one(capsys, "tool.py:work", "-C", str(twins)) == ["tool.py"]
    assert one(capsys, "tool.py:1", "-C", str(twins)) == ["tool.py"]
    assert one(capsys, f"{twins}/pkg/tool.py:work", "-C", str(twins)) == ["pkg/tool.py"]


def test_paths_count_from_the_current_folder(
    twins: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(twins)
    assert main(["index"]) == 0
    monkeypatch.chdir(twins / "pkg")
    capsys.readouterr()
    assert one(capsys, "tool.py:work") == ["pkg/tool.py"]
    assert one(capsys, "./tool.py:1") == ["pkg/tool.py"]
    assert one(capsys, "../tool.py:work") == ["tool.py"]
    for arguments, file in ((["outline", "tool.py"], "pkg/tool.py"), (["outline", "../tool.py"], "tool.py")):
        assert main([*arguments, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["path"] == file
    assert main(["graph", "deps", ".", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["files"] == ["pkg/tool.py"]


@pytest.mark.parametrize(
    ("below", "shown"), [("", "pkg/tool.py"), ("pkg", "tool.py"), ("..", "{name}/pkg/tool.py"), ("../..", "")]
)
def test_places_can_be_clicked_from_where_one_is(
    twins: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, below: str, shown: str
) -> None:
    """Whatever the command; what would lead up and down again is written from the root of the file system."""
    elsewhere = twins.parent / "elsewhere"
    elsewhere.mkdir(exist_ok=True)
    monkeypatch.chdir(twins / below if below != "../.." else elsewhere)
    expected = shown.format(name=twins.name) or str(twins / "pkg/tool.py")
    for arguments in (["defs", "pkg/tool.py:work"], ["outline", "pkg/tool.py"], ["impact", "pkg/tool.py:work"]):
        assert main([*arguments, "-C", str(twins)]) == 0
        assert any(word.startswith(f"{expected}:1") for word in capsys.readouterr().out.split())


def test_a_change_needs_a_commit_to_be_compared_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    code, _, err = run(capsys, tmp_path, "conform")
    assert code == 2
    assert "has no commit yet" in err


@pytest.mark.parametrize("piped", [False, True])
def test_a_patch_of_a_file_with_crlf_is_applied_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, piped: bool
) -> None:
    root = tmp_path / "repo"
    root.mkdir()
    git = ["git", "-C", str(root), "-c", "user.name=n", "-c", "user.email=e", "-c", "core.autocrlf=false"]
    (root / "a.py").write_bytes(b"def one():\r\n    return 1\r\n")
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *arguments], check=True)
    (root / "a.py").write_bytes(b"def one():\r\n    return 1\r\n\r\n\r\ndef two():\r\n    return one()\r\n")
    change = subprocess.check_output([*git, "diff"])
    subprocess.run([*git, "checkout", "-q", "a.py"], check=True)
    (tmp_path / "change.patch").write_bytes(change)
    where = "-" if piped else str(tmp_path / "change.patch")
    with (tmp_path / "change.patch").open() as file:
        monkeypatch.setattr(sys, "stdin", file)
        code, out, err = run(capsys, root, "conform", "--json", "--patch", where)
    assert (code, err) == (0, "")
    assert json.loads(out)["files"] == 1


def test_a_patch_that_is_no_utf8_is_refused(repo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "change.patch").write_bytes(b"+++ b/a.py\n@@ -0,0 +1 @@\n+# \xe9\n")
    with pytest.raises(SystemExit) as ended:
        run(capsys, repo, "conform", "--patch", str(tmp_path / "change.patch"))
    assert ended.value.code == 2
    assert "can't read" in capsys.readouterr().err


def test_a_text_that_no_name_can_have_is_refused_at_once(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, repo, "symbols", "helper" * 20_000)
    assert code == 0
    assert out.startswith("nothing fits")


def test_bytes_that_are_no_text_name_nothing(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, repo, "callers", "\udcff\udcfe")
    assert (code, out) == (3, "")
    assert err.startswith("nav: no definition named")


def test_nobody_may_listen(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["defs", "helper", "-C", str(repo)]) == 0
    assert main(["defs", "nosuch", "-C", str(repo)]) == 3
    for stream in (sys.stdout, sys.stderr):
        stream.close()
