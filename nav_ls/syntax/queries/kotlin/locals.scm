; Names that may mean variables (see nav_ls/syntax/names.py).

(simple_identifier) @name
(interpolated_identifier) @name
(type_identifier) @name

(assignment (directly_assignable_expression (simple_identifier) @write))
(prefix_expression (simple_identifier) @write)
(postfix_expression (simple_identifier) @write)

(this_expression) @receiver

(navigation_suffix (simple_identifier) @other)
(function_declaration (simple_identifier) @other)
(import_header (identifier (simple_identifier) @other))
(package_header (identifier (simple_identifier) @other))

(value_arguments (value_argument (simple_identifier) @keyword "="))
