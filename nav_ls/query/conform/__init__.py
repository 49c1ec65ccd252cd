"""Does a change reuse what the repository has, or reinvent it?  Deterministic: from tokens, the graph and imports."""
