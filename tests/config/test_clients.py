"""What clients and documents say about settings is what the settings are."""

from __future__ import annotations

import json

from clients import settings
from nav_ls.config.editors import EditorSettings
from nav_ls.config.settings import Config


def test_nothing_generated_is_outdated() -> None:
    assert [str(path) for path in settings.outdated()] == [], "run `python -m clients.settings`"


def test_names_in_both_editors() -> None:
    found = {settings.vscode_name(one): settings.neovim_name(one) for one in settings.settings_of(EditorSettings)}
    assert found["nav.server.path"] == "nav_server_path"
    assert found["nav.besideOthers"] == "nav_beside_others"


def test_a_manifest_has_ranges_choices_and_scopes() -> None:
    text = settings.manifest('{"contributes": {}}')
    properties = json.loads(text)["contributes"]["configuration"]["properties"]
    assert properties["nav.palette.debounce"] == {
        "type": "integer",
        "default": 120,
        "minimum": 0,
        "maximum": 2000,
        "markdownDescription": "Milliseconds that typing must rest before the search palette asks.",
    }
    assert properties["nav.server.path"]["scope"] == "machine"
    assert properties["nav.besideOthers"]["enum"] == ["fill", "beside", "commands"]
    assert "nav.picker" not in properties


def test_every_setting_of_the_index_is_documented() -> None:
    page = settings.page("")
    for one in settings.settings_of(Config):
        assert f"| `{'.'.join(one.path)}` |" in page
