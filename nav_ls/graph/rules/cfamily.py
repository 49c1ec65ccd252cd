"""The C family: one module for its two languages, which link to each other."""

from nav_ls.graph.rules.c import CLayout, CRules

RULES: dict[str, type[CRules]] = {"c": CRules, "cpp": CRules}
LAYOUT = CLayout
