; Names that may mean variables (see nav_ls/syntax/names.py).

(identifier) @name

(augmented_assignment left: (identifier) @write)
(delete_statement (identifier) @write)

(attribute attribute: (identifier) @other)
(import_from_statement module_name: (dotted_name (identifier) @other))
(import_statement name: (dotted_name (_) (identifier) @other))
(aliased_import name: (dotted_name (identifier) @other))
(future_import_statement name: (dotted_name (identifier) @other))
(keyword_pattern . (identifier) @other)

(argument_list (keyword_argument name: (identifier) @keyword))
