"""The C family: one module for its two languages, which link to each other."""

from nav_ls.graph.rules.c import CLayout, CRules
from nav_ls.graph.rules.cpp import CppRules

RULES: dict[str, type[CRules]] = {"c": CRules, "cpp": CppRules}
LAYOUT = CLayout
