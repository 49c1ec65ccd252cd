"""nav: one warm, always-fresh index of a repository."""

__version__ = "0.1.0"
