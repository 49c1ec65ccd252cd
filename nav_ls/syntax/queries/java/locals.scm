; Names that may mean variables (see nav_ls/syntax/names.py).

(identifier) @name
(type_identifier) @name

(assignment_expression left: (identifier) @write)
(update_expression (identifier) @write)

(this) @receiver

(field_access field: (identifier) @other)
(method_invocation name: (identifier) @other)
(method_reference (_) (identifier) @other)
(method_declaration name: (identifier) @other)
(constructor_declaration name: (identifier) @other)
(labeled_statement . (identifier) @other)
(break_statement (identifier) @other)
(continue_statement (identifier) @other)
(annotation name: (identifier) @other)
(marker_annotation name: (identifier) @other)
(element_value_pair key: (identifier) @other)
(scoped_identifier name: (identifier) @other)
(scoped_type_identifier (_) (type_identifier) @other)
(package_declaration (identifier) @other)
(import_declaration (identifier) @other)
