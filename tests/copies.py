"""A helper, and the copy of it that somebody writes who does not know it: what a check of a change has to tell."""

HELPER = """def chunk_rows(rows, size):
    result = []
    current = []
    for row in rows:
        current.append(row)
        if len(current) >= size:
            result.append(current)
            current = []
    if current:
        result.append(current)
    return result
"""
COPY = HELPER.replace("chunk_rows", "in_groups").replace("current", "group").replace("result", "groups")
