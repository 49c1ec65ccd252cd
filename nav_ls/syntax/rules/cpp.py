"""C++: C's rules and what the language adds."""

from nav_ls.syntax.rules.c import CRules

RULES = CRules
