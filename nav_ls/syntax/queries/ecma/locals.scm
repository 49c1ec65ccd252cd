; Names that may mean variables (see nav_ls/syntax/names.py), in all of JavaScript's dialects.

(identifier) @name
(shorthand_property_identifier) @name
(shorthand_property_identifier_pattern) @name

(assignment_expression left: (identifier) @write)
(assignment_expression left: (parenthesized_expression (identifier) @write))
(assignment_expression left: (array_pattern (identifier) @write))
(assignment_expression left: (array_pattern (assignment_pattern left: (identifier) @write)))
(assignment_expression left: (array_pattern (rest_pattern (identifier) @write)))
(assignment_expression left: (object_pattern (shorthand_property_identifier_pattern) @write))
(assignment_expression left: (object_pattern (pair_pattern value: (identifier) @write)))
(augmented_assignment_expression left: (identifier) @write)
(update_expression argument: (identifier) @write)
(for_in_statement left: (identifier) @write)

(this) @receiver

(import_specifier name: (identifier) @other alias: (identifier))
(export_specifier alias: (identifier) @other)
(export_statement (export_clause (export_specifier name: (identifier) @other)) source: (string))
