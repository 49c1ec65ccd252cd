"""The languages of the Java virtual machine: they see each other's packages."""

from __future__ import annotations

from nav_ls.graph.rules.java import JavaRules, JvmLayout
from nav_ls.graph.rules.kotlin import KotlinRules

RULES = {"java": JavaRules, "kotlin": KotlinRules}
LAYOUT = JvmLayout
