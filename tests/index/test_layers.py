from __future__ import annotations

import pytest

from nav_ls.index.layers import framework_of, layer_of


@pytest.mark.parametrize(
    ("path", "layer"),
    [
        ("src/controllers/user.ts", "controller"),
        ("app/services/billing.py", "service"),
        ("pkg/user_repository.go", "repository"),
        ("src/main/java/com/x/UserService.java", "service"),
        ("core/utils.py", "util"),
        ("tests/test_app.py", "test"),
        ("pkg/tree_test.go", "test"),
        ("src/test/java/com/x/GsonTest.java", "test"),
        ("packages/server/src/__tests__/x.ts", "test"),
        ("lib/view.spec.ts", "test"),
        ("examples/hello/main.go", "example"),
        ("docs/conf.py", "docs"),
        ("README.md", "docs"),
        ("src/contest.py", ""),
        ("src/latest/thing.py", ""),
        ("setup.cfg", "config"),
        ("a.py", ""),
    ],
)
def test_layer_by_path(path: str, layer: str) -> None:
    assert layer_of(path) == layer


def test_layer_by_what_the_facts_say() -> None:
    assert layer_of("a.py", test=True) == "test"
    assert layer_of("tests/a_pb2.py", generated=True) == "generated"
    assert layer_of("src/users.ts", name="UserController") == "controller"
    assert layer_of("src/users.ts", name="save", container="UserRepository") == "repository"


@pytest.mark.parametrize(
    ("language", "modules", "framework"),
    [
        ("python", ["os", "django.db.models"], "django"),
        ("python", ["djangox"], ""),
        ("typescript", ["react", "next/router"], "next"),
        ("tsx", ["react-dom"], ""),
        ("go", ["github.com/gin-gonic/gin"], "gin"),
        ("kotlin", ["org.springframework.web.bind"], "spring"),
        ("cpp", ["QWidget"], "qt"),
        ("cpp", ["Queue.h"], ""),
        ("unknown", ["flask"], ""),
    ],
)
def test_framework_by_imports(language: str, modules: list[str], framework: str) -> None:
    assert framework_of(language, modules) == framework
