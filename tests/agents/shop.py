"""A small repository that the tests of agents work in."""

from __future__ import annotations

from pathlib import Path

from nav_ls.workspace.workspace import Workspace

FILES = {
    "shop/__init__.py": "",
    "shop/errors.py": 'class ShopError(Exception):\n    """Base of all errors of the shop."""\n\n\nclass OutOfStock(ShopError):\n    pass\n',
    "shop/stock.py": (
        "from shop.errors import OutOfStock\n\n\n"
        "def reserve_item(item: str, amount: int) -> int:\n"
        '    """Take an amount of an item out of the stock."""\n'
        "    if amount > 10:\n        raise OutOfStock(item)\n    return amount\n"
    ),
    "shop/orders.py": (
        "from shop.stock import reserve_item\n\n\n"
        "class OrderService:\n"
        "    def place_order(self, item: str) -> int:\n        return reserve_item(item, 1)\n"
    ),
    "shop/__main__.py": "from shop.orders import OrderService\n\nOrderService().place_order('x')\n",
    "tests/test_orders.py": (
        "from shop.orders import OrderService\n\n\ndef test_place() -> None:\n    assert OrderService().place_order('a') == 1\n"
    ),
}


def make(root: Path) -> None:
    """Write the repository and index it."""
    for path, text in FILES.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (root / ".git").mkdir()
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    workspace = Workspace.open(root)
    workspace.sync()
    workspace.searching.refresh()
    workspace.close()
