"""A function, and the copy of it that somebody writes who does not know it: what a check of a change has to tell."""

HELPER = '''def chunk_rows(rows, size):
    """Split rows into runs of at most size."""
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
'''
COPY = """def split_items(items, most):
    groups = []
    group = []
    for item in items:
        group.append(item)
        if len(group) >= most:
            groups.append(group)
            group = []
    if group:
        groups.append(group)
    return groups
"""
