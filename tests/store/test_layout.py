"""Where an index lies."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from nav_ls.store.layout import Layout
from nav_ls.text.errors import UsageError


def test_a_file_stands_for_its_folder(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    assert Layout.find(tmp_path / "a.py") == Layout.find(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="it is a device elsewhere")
def test_a_device_stands_for_nothing() -> None:
    with pytest.raises(UsageError, match="neither a folder nor a file"):
        Layout.find(Path("/dev/null"))
