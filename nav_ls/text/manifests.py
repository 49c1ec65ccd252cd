"""Files that say how a project's modules find each other: no code, but linking reads them."""

from __future__ import annotations

from posixpath import basename

_NAMES = frozenset(
    {
        "go.mod",
        "go.work",
        "package.json",
        "jsconfig.json",
        "pnpm-workspace.yaml",
        "pyproject.toml",
        "setup.cfg",
        "Cargo.toml",
        "pom.xml",
        "build.gradle",
        "build.gradle.kts",
        "settings.gradle",
        "settings.gradle.kts",
        "compile_commands.json",
        "Directory.Build.props",
        "Directory.Build.targets",
    }
)


def is_manifest(path: str) -> bool:
    """Whether linking may read this file's text."""
    name = basename(path)
    return name in _NAMES or name.endswith(".csproj") or (name.startswith("tsconfig") and name.endswith(".json"))
