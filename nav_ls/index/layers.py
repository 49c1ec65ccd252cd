"""What part a file plays, from its path and its imports alone: its layer and its framework.

Both are guesses by convention: deterministic, cheap, and only ever used to filter, to weigh and to describe.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from nav_ls.text.roles import is_test
from nav_ls.text.words import pieces

_FOLDERS: tuple[tuple[str, str], ...] = (
    ("example", "examples example samples sample demo demos tutorial tutorials playground playgrounds cookbook"),
    ("benchmark", "benchmarks benchmark bench benches perf jmh"),
    ("docs", "docs doc documentation website www site"),
    ("script", "scripts script tools tool hack build_tools buildscripts ci devtools codemod codemods"),
    ("migration", "migrations migration migrate"),
)
_WORDS: tuple[tuple[str, str], ...] = (
    ("middleware", "middleware middlewares interceptor interceptors filters guard guards"),
    ("controller", "controller controllers handler handlers view views route routes router routers endpoint endpoints"),
    ("controller", "resource resources api rest resolver resolvers servlet"),
    ("service", "service services usecase usecases interactor interactors"),
    ("repository", "repository repositories repo repos dao daos store stores storage persistence db database queries"),
    ("model", "model models entity entities schema schemas domain dto dtos types records"),
    ("config", "config configs configuration settings options"),
    ("cli", "cli cmd command commands"),
    ("ui", "components component pages page widgets widget layouts templates screens ui"),
    ("util", "util utils utility utilities helper helpers common shared support misc"),
)
_FOLDER_LAYER = {name: layer for layer, names in _FOLDERS for name in names.split()}
_WORD_LAYER = {name: layer for layer, names in _WORDS for name in names.split()}
_DOC_SUFFIXES = (".md", ".markdown", ".rst", ".txt", ".adoc", ".mdx")
_CONFIG_SUFFIXES = (".toml", ".yaml", ".yml", ".ini", ".cfg", ".json", ".properties", ".xml", ".gradle")


def layer_of(path: str, *, test: bool = False, generated: bool = False, name: str = "", container: str = "") -> str:
    """The layer of a definition: by its file's role, its own name's ending, its folders; "" where nothing tells."""
    if generated:
        return "generated"
    if test or is_test(path):
        return "test"
    folders = path.lower().split("/")[:-1]
    for folder in folders:
        if folder in _FOLDER_LAYER:
            return _FOLDER_LAYER[folder]
    lower = path.lower()
    if lower.endswith(_DOC_SUFFIXES):
        return "docs"
    if lower.endswith(_CONFIG_SUFFIXES):
        return "config"
    stem = path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    for source in (container or name, stem):
        words = pieces(source)
        if words and words[-1] in _WORD_LAYER:
            return _WORD_LAYER[words[-1]]
    for folder in reversed(folders):
        if folder in _WORD_LAYER:
            return _WORD_LAYER[folder]
    return ""


_FRAMEWORKS: dict[str, tuple[tuple[str, str], ...]] = {
    "python": (
        ("rest_framework", "drf"), ("django", "django"), ("fastapi", "fastapi"), ("flask", "flask"),
        ("starlette", "starlette"), ("aiohttp", "aiohttp"), ("tornado", "tornado"), ("sanic", "sanic"),
        ("celery", "celery"), ("sqlalchemy", "sqlalchemy"), ("pydantic", "pydantic"), ("pytest", "pytest"),
        ("click", "click"), ("typer", "typer"), ("torch", "pytorch"), ("tensorflow", "tensorflow"),
        ("airflow", "airflow"), ("scrapy", "scrapy"),
    ),
    "javascript": (
        ("@nestjs/", "nestjs"), ("@angular/", "angular"), ("next", "next"), ("nuxt", "nuxt"), ("react-native", "react-native"),
        ("react", "react"), ("preact", "preact"), ("vue", "vue"), ("svelte", "svelte"), ("solid-js", "solid"),
        ("express", "express"), ("koa", "koa"), ("fastify", "fastify"), ("hono", "hono"), ("@hapi/", "hapi"),
        ("@trpc/", "trpc"), ("@prisma/client", "prisma"), ("typeorm", "typeorm"), ("mongoose", "mongoose"),
        ("sequelize", "sequelize"), ("redux", "redux"), ("electron", "electron"), ("vitest", "vitest"),
        ("@jest/", "jest"), ("jest", "jest"), ("mocha", "mocha"), ("graphql", "graphql"),
    ),
    "go": (
        ("github.com/gin-gonic/gin", "gin"), ("github.com/labstack/echo", "echo"), ("github.com/gofiber/fiber", "fiber"),
        ("github.com/go-chi/chi", "chi"), ("github.com/gorilla/mux", "gorilla"), ("gorm.io/", "gorm"),
        ("github.com/spf13/cobra", "cobra"), ("google.golang.org/grpc", "grpc"), ("k8s.io/", "kubernetes"),
        ("github.com/charmbracelet/bubbletea", "bubbletea"), ("github.com/stretchr/testify", "testify"),
    ),
    "java": (
        ("org.springframework", "spring"), ("io.quarkus", "quarkus"), ("io.micronaut", "micronaut"),
        ("io.vertx", "vertx"), ("io.ktor", "ktor"), ("androidx.", "android"), ("android.", "android"),
        ("jakarta.persistence", "jpa"), ("javax.persistence", "jpa"), ("org.hibernate", "hibernate"),
        ("jakarta.ws.rs", "jax-rs"), ("javax.ws.rs", "jax-rs"), ("jakarta.servlet", "servlet"),
        ("javax.servlet", "servlet"), ("org.junit", "junit"), ("io.netty", "netty"),
    ),
    "rust": (
        ("axum", "axum"), ("actix_web", "actix"), ("rocket", "rocket"), ("warp", "warp"), ("tonic", "tonic"),
        ("diesel", "diesel"), ("sqlx", "sqlx"), ("sea_orm", "sea-orm"), ("clap", "clap"), ("bevy", "bevy"),
        ("leptos", "leptos"), ("tokio", "tokio"),
    ),
    "csharp": (
        ("Microsoft.AspNetCore", "aspnet"), ("Microsoft.EntityFrameworkCore", "efcore"), ("MediatR", "mediatr"),
        ("Xunit", "xunit"), ("NUnit", "nunit"), ("Dapper", "dapper"), ("UnityEngine", "unity"),
    ),
    "ruby": (("rails", "rails"), ("action_controller", "rails"), ("active_record", "rails"), ("sinatra", "sinatra"),
             ("rspec", "rspec"), ("minitest", "minitest"), ("rack", "rack"), ("sidekiq", "sidekiq")),
    "php": (("Illuminate\\", "laravel"), ("Symfony\\", "symfony"), ("Doctrine\\", "doctrine"), ("PHPUnit\\", "phpunit")),
    "c": (("gtest/", "gtest"), ("Q", "qt"), ("boost/", "boost"), ("uv.h", "libuv"), ("catch2/", "catch2")),
    "swift": (("SwiftUI", "swiftui"), ("UIKit", "uikit"), ("Vapor", "vapor"), ("XCTest", "xctest")),
}  # fmt: skip
_SAME = {
    "typescript": "javascript",
    "tsx": "javascript",
    "jsx": "javascript",
    "kotlin": "java",
    "scala": "java",
    "cpp": "c",
}
_PREFIX_ENDS = ("/", ".", "\\")


def framework_of(language: str, modules: Iterable[str]) -> str:
    """The framework that a file's imports name, the most telling first; "" for none."""
    table = _FRAMEWORKS.get(_SAME.get(language, language), ())
    imported = list(modules)
    for prefix, framework in table:
        if any(_names(module, prefix) for module in imported):
            return framework
    return ""


def _names(module: str, prefix: str) -> bool:
    if prefix == "Q":
        return re.match(r"Q[A-Z]\w+$", module) is not None
    if not module.startswith(prefix):
        return False
    rest = module[len(prefix) :]
    return not rest or prefix.endswith(_PREFIX_ENDS) or not (rest[0].isalnum() or rest[0] in "_-")
