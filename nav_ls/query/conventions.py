"""What a repository's own code shows of its habits: which libraries do what, which types are extended, how tests lie.

Everything is read off the graph: imports, inheritance, decorators, paths.  No text of the code is looked at.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from nav_ls.query.model import SymbolInfo
from nav_ls.query.ranks import Ranks, is_test
from nav_ls.query.snapshot import Snapshot
from nav_ls.store.overview import Outside, Overview
from nav_ls.store.rows import KIND_CODE, RELATION_CODE

# Purpose → packages, in the spelling of their import.  A name fits itself and everything below it.
_PURPOSES: tuple[tuple[str, str], ...] = (
    (
        "HTTP client",
        (
            "requests httpx aiohttp urllib3 urllib.request http.client axios node-fetch got superagent undici ky "
            "okhttp3 okhttp retrofit2 org.apache.http java.net.http reqwest hyper ureq System.Net.Http RestSharp "
            "github.com/go-resty/resty github.com/hashicorp/go-retryablehttp guzzlehttp faraday Net::HTTP curl/curl.h"
        ),
    ),
    ("HTTP", "net/http http http.server"),
    (
        "web framework",
        (
            "flask django fastapi starlette tornado sanic werkzeug express koa fastify @nestjs/common @nestjs/core next hono "
            "github.com/gin-gonic/gin github.com/labstack/echo github.com/go-chi/chi github.com/gofiber/fiber "
            "github.com/gorilla/mux org.springframework.web io.ktor jakarta.ws.rs axum actix_web rocket warp "
            "Microsoft.AspNetCore sinatra rails laravel Illuminate"
        ),
    ),
    (
        "validation",
        (
            "pydantic marshmallow cerberus voluptuous jsonschema attrs attr zod joi yup ajv class-validator valibot superstruct "
            "github.com/go-playground/validator jakarta.validation javax.validation validator FluentValidation"
        ),
    ),
    (
        "data access",
        (
            "sqlalchemy peewee psycopg2 psycopg pymongo redis sqlite3 asyncpg tortoise typeorm sequelize mongoose knex pg "
            "@prisma/client drizzle-orm gorm.io/gorm database/sql github.com/jmoiron/sqlx go.etcd.io/bbolt java.sql "
            "jakarta.persistence javax.persistence org.hibernate diesel sqlx sea_orm Dapper Microsoft.EntityFrameworkCore "
            "active_record activerecord sequel Doctrine"
        ),
    ),
    (
        "logging",
        (
            "logging loguru structlog winston pino bunyan debug log/slog log go.uber.org/zap github.com/sirupsen/logrus "
            "github.com/rs/zerolog org.slf4j java.util.logging org.apache.logging.log4j tracing log4j spdlog "
            "Microsoft.Extensions.Logging Serilog Monolog Psr.Log glog"
        ),
    ),
    (
        "command line",
        (
            "argparse click typer fire docopt commander yargs github.com/spf13/cobra github.com/urfave/cli flag picocli clap "
            "structopt System.CommandLine optparse thor Symfony.Component.Console CLI/CLI.hpp"
        ),
    ),
    (
        "serialization",
        (
            "json orjson msgspec yaml pickle encoding/json encoding/xml gopkg.in/yaml com.fasterxml.jackson com.google.gson "
            "serde serde_json System.Text.Json Newtonsoft.Json google.golang.org/protobuf google.protobuf nlohmann"
        ),
    ),
    (
        "errors",
        "anyhow thiserror eyre color_eyre snafu github.com/pkg/errors neverthrow",
    ),
    (
        "concurrency",
        (
            "asyncio anyio trio threading multiprocessing concurrent.futures gevent celery sync golang.org/x/sync tokio rayon "
            "crossbeam java.util.concurrent reactor rxjs System.Threading.Tasks"
        ),
    ),
    (
        "tests",
        (
            "pytest unittest hypothesis nose jest @jest/globals vitest mocha chai sinon @playwright/test cypress testing "
            "github.com/stretchr/testify github.com/onsi/ginkgo org.junit org.mockito org.assertj junit com.google.common.truth "
            "proptest rstest Xunit NUnit Moq gtest catch2 doctest rspec minitest PHPUnit"
        ),
    ),
)
_PACKAGES = {package: purpose for purpose, packages in _PURPOSES for package in packages.split()}
_SEPARATORS = re.compile(r"::|[./\\]")
_ERROR = re.compile(r"(Error|Exception|Failure|Fault)s?$")
_VALIDATE = ("validate*", "Validate*", "check_*", "is_valid*", "isValid*", "*Validator", "clean_*")
_TEST_NAMES = (
    ("test_*", re.compile(r"^test_[^/]*$")),
    ("*_test", re.compile(r"^[^/]*_test\.[^/]*$")),
    ("*.test.*", re.compile(r"\.test\.[^/]*$")),
    ("*.spec.*", re.compile(r"\.spec\.[^/]*$")),
    ("*Test", re.compile(r"^[^/]*Tests?\.[^/]*$")),
)
_STRUCTURAL = frozenset({"go"})
"""Languages whose types do not say what they implement."""
_FEW = 2
"""One occurrence is no habit."""
_CANDIDATES = 60
"""So many of a kind are looked at, for the few that are shown."""


class Habit(msgspec.Struct, frozen=True):
    """One line about how things are done here, and the definitions that show it (as `path:line` within the text)."""

    topic: str
    text: str


def conventions(snapshot: Snapshot, ranks: Ranks) -> list[Habit]:
    """The habits of a repository, the most telling first; empty for one that is too small to have any."""
    if snapshot.reader is None:
        return []
    overview = Overview(snapshot.reader)
    asides = [info.id for info in ranks.by_id.values() if info.path in ranks.aside]
    heirs = Counter({base: len(found) for base, found in heirs_of(overview, ranks).items()})
    outside = overview.outside(asides)
    return [
        *_libraries(outside),
        *_errors(snapshot, ranks, overview, heirs),
        *_validation(snapshot, ranks, overview),
        *_bases(snapshot, ranks, heirs),
        *_decorators(snapshot, ranks, overview),
        *_tests(snapshot, ranks),
    ]


def heirs_of(overview: Overview, ranks: Ranks) -> dict[int, set[int]]:
    """The types outside of tests and the like that extend or implement each type, by id.

    Where a type implements what it has the methods of, only those count that may know of it: types of the same folder,
    and of files that use the file with the interface.
    """
    found: dict[int, set[int]] = {}
    for target, rows in overview.heirs().items():
        sources = {source for source, file_id, declared in rows if _is_heir(ranks, file_id, declared)}
        if sources:
            found[target] = sources
    return found


def _is_heir(ranks: Ranks, file_id: int, declared: int) -> bool:
    info, base = ranks.by_id.get(file_id), ranks.by_id.get(declared)
    if info is None or base is None or info.path in ranks.aside:
        return False
    beside = info.path.rpartition("/")[0] == base.path.rpartition("/")[0]
    return info.language not in _STRUCTURAL or beside or (file_id, declared) in ranks.links


def _libraries(outside: Sequence[Outside]) -> list[Habit]:
    """Which package serves which purpose, by the number of files that import it."""
    counts: dict[str, Counter[str]] = {}
    for item in outside:
        found = _known(item.name) if item.kind == RELATION_CODE["imports"] else None
        if found is None:
            continue
        package, purpose = found
        counts.setdefault(purpose, Counter())[package] += item.aside_files if purpose == "tests" else item.files
    habits = []
    for purpose, _ in _PURPOSES:
        ordered = sorted(counts.get(purpose, Counter()).items(), key=lambda pair: (-pair[1], pair[0]))
        shown = [f"{package} ({_files(files)})" for package, files in ordered[:4] if files >= _FEW]
        if shown:
            habits.append(Habit(purpose, ", ".join(shown)))
    return habits


def _known(name: str) -> tuple[str, str] | None:
    """The package of the table that an imported name belongs to, the longest one."""
    cuts = [len(name), *(found.start() for found in reversed(list(_SEPARATORS.finditer(name))))]
    for cut in cuts:
        purpose = _PACKAGES.get(name[:cut])
        if purpose is not None:
            return name[:cut], purpose
    return None


def _errors(snapshot: Snapshot, ranks: Ranks, overview: Overview, heirs: Counter[int]) -> list[Habit]:
    """The error types that others are derived from."""
    roots = [*overview.extends_outside("%Error"), *overview.extends_outside("%Exception")]
    symbols = snapshot.symbols_by_id([*heirs, *roots])
    errors = [symbol for symbol in symbols.values() if _ERROR.search(symbol.name) and symbol.path not in ranks.aside]
    ordered = sorted(errors, key=lambda symbol: (-heirs[symbol.id], symbol.path, symbol.key))
    if not ordered:
        return []
    parts = []
    for symbol in ordered[:5]:
        derived = heirs[symbol.id]
        parts.append(f"{place(symbol)}" + (f", {derived} derived" if derived else ""))
    return [Habit("error types", "; ".join(parts))]


def _validation(snapshot: Snapshot, ranks: Ranks, overview: Overview) -> list[Habit]:
    """Where input is checked: the definitions with a name that says so, and the most callers."""
    calls = overview.mentioned(KIND_CODE["calls"])
    counts = Counter({found: calls[found] for found in overview.named_like(_VALIDATE) if found in calls})
    found = _counted(snapshot, ranks, counts)
    return [Habit("checks", "; ".join(f"{place(symbol)}, {_times(n)}" for symbol, n in found[:4]))] if found else []


def _bases(snapshot: Snapshot, ranks: Ranks, heirs: Counter[int]) -> list[Habit]:
    """The types of this repository that are extended most, errors aside."""
    found = [
        (symbol, n) for symbol, n in _counted(snapshot, ranks, heirs) if not _ERROR.search(symbol.name) and n > _FEW
    ]
    if not found:
        return []
    return [Habit("base types", "; ".join(f"{place(symbol)}, {n} derived" for symbol, n in found[:6]))]


def _decorators(snapshot: Snapshot, ranks: Ranks, overview: Overview) -> list[Habit]:
    """The decorators of this repository that are used most."""
    counts = Counter(overview.mentioned(KIND_CODE["decorates"]))
    found = [(symbol, n) for symbol, n in _counted(snapshot, ranks, counts) if n > _FEW]
    return [Habit("decorators", "; ".join(f"{place(symbol)}, {_times(n)}" for symbol, n in found[:5]))] if found else []


def _tests(snapshot: Snapshot, ranks: Ranks) -> list[Habit]:
    """Where tests lie, what they are called, and the helpers that they share."""
    tests = sorted(info.path for info in ranks.by_id.values() if is_test(info))
    if not tests:
        return []
    folders = Counter(_test_root(path) for path in tests)
    names = Counter(
        label for path in tests for label, pattern in _TEST_NAMES if pattern.search(path.rpartition("/")[2])
    )
    text = f"{_files(len(tests))}; " + ", ".join(f"{folder} ({n})" for folder, n in _ordered(folders)[:4])
    if names:
        text += "; named " + ", ".join(f"{label} ({n})" for label, n in _ordered(names)[:2])
    habits = [Habit("test layout", text)]
    helpers = _helpers(snapshot, ranks, set(tests))
    if helpers:
        habits.append(Habit("test helpers", "; ".join(f"{place(symbol)}, {_files(n)}" for symbol, n in helpers[:5])))
    return habits


def _test_root(path: str) -> str:
    """`tests/` for a tree of their own, "beside the code" for the rest."""
    folders = path.split("/")[:-1]
    for depth, folder in enumerate(folders):
        if re.fullmatch(r"tests?|__tests__|specs?|testing|e2e|[^/]*[-_.]tests?", folder):
            return "/".join(folders[: depth + 1]) + "/" if depth < 2 else f"*/{folder}/"
    return "beside the code"


def _helpers(snapshot: Snapshot, ranks: Ranks, tests: set[str]) -> list[tuple[SymbolInfo, int]]:
    """Definitions of test files that other test files use."""
    counts = Counter({used: n for used, (owner, n) in ranks.users.items() if ranks.by_id[owner].path in tests})
    best = _most(counts)
    pairs = [(symbol, best[symbol.id]) for symbol in snapshot.symbols_by_id(best).values() if symbol.key]
    return sorted(pairs, key=lambda pair: (-pair[1], pair[0].path, pair[0].key))


def _most(counts: Counter[int]) -> dict[int, int]:
    """The entries with the highest counts and all that share the last one's, one occurrence aside.

    Where to cut must not depend on the order in which the index was filled.
    """
    ordered = sorted((n for n in counts.values() if n >= _FEW), reverse=True)
    least = ordered[min(_CANDIDATES, len(ordered)) - 1] if ordered else _FEW
    return {key: n for key, n in counts.items() if n >= least}


def _counted(snapshot: Snapshot, ranks: Ranks, counts: Counter[int]) -> list[tuple[SymbolInfo, int]]:
    """Definitions outside of tests with their counts, most first."""
    best = _most(counts)
    symbols = snapshot.symbols_by_id(best).values()
    pairs = [(symbol, best[symbol.id]) for symbol in symbols if symbol.key and symbol.path not in ranks.aside]
    return sorted(pairs, key=lambda pair: (-pair[1], pair[0].path, pair[0].key))


def place(symbol: SymbolInfo) -> str:
    """A definition as it is named in running text."""
    return f"{symbol.qual} ({symbol.path}:{symbol.name_span.line + 1})"


def _ordered(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count:,} files"


def _times(count: int) -> str:
    return f"{count:,} uses"


def render(habits: Iterable[Habit]) -> list[str]:
    """One line each."""
    return [f"- {habit.topic}: {habit.text}" for habit in habits]
