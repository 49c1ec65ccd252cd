import pytest

from nav_ls.text.admit import Limits, looks_built, looks_secret, looks_vendored, refuse


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        "a/.env.local",
        "prod.env",
        "id_rsa",
        "keys/id_ed25519.bak",
        "x.pem",
        "x.KEY",
        ".npmrc",
        "credentials.json",
    ],
)
def test_names_of_secrets(path: str) -> None:
    assert looks_secret(path)


@pytest.mark.parametrize("path", ["environment.py", "env.py", "secrets.py", "key.go", "keys/load.ts", "credentials.py"])
def test_code_about_secrets_is_none(path: str) -> None:
    assert not looks_secret(path)


@pytest.mark.parametrize(
    "path",
    ["vendor/a.go", "x/third_party/b.c", "static/js/jquery-3.js", "a.min.js", "pip/_vendor/x.py", "node_modules/a.js"],
)
def test_vendored(path: str) -> None:
    assert looks_vendored(path)


@pytest.mark.parametrize("path", ["vendors.py", "src/vendor.go", "jquery_support/a.py", "admin.js", "minimal.js"])
def test_not_vendored(path: str) -> None:
    assert not looks_vendored(path)


@pytest.mark.parametrize("path", ["dist/axios.js", "packages/a/dist/esm/index.mjs", "dist/index.d.cts"])
def test_output_of_a_build(path: str) -> None:
    assert looks_built(path)


@pytest.mark.parametrize("path", ["src/dist.js", "distribution/a.js", "dist/setup.py", "lib/dist/a.go"])
def test_no_output_of_a_build(path: str) -> None:
    assert not looks_built(path)


def test_what_is_refused() -> None:
    limits = Limits(file_bytes=100, line_bytes=20)
    assert refuse(b"x = 1\n", limits) == ""
    assert refuse(b"x" * 101, limits).startswith("larger")
    assert refuse(b"x" * 21 + b"\n", limits).startswith("minified")
    assert refuse(b"x = 1\n" * 6 + b"x" * 21 + b"\n", limits) == "", "one long literal in code that people wrote"
    assert refuse(b"// licence\n" + b"x" * 80 + b"\n", limits).startswith("minified")
    assert refuse(b"x" * 15 + b"\r" + b"x" * 15, limits) == ""
    assert refuse(b"\0\1\2", limits) == "binary"
    key = b"-----BEGIN RSA PRIVATE KEY-----\n" + b"A" * 60
    assert refuse(key, Limits()).startswith("looks like a secret")
