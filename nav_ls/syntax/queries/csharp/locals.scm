; Names that may mean variables (see nav_ls/syntax/names.py).

(identifier) @name

(assignment_expression left: (identifier) @write)
(prefix_unary_expression (identifier) @write)
(postfix_unary_expression (identifier) @write)

"this" @receiver

(member_access_expression name: (identifier) @other)
(member_binding_expression name: (identifier) @other)
(qualified_name name: (identifier) @other)
(method_declaration name: (identifier) @other)
(property_declaration name: (identifier) @other)
(labeled_statement . (identifier) @other)
(goto_statement (identifier) @other)
(initializer_expression (assignment_expression left: (identifier) @other))
(subpattern . (identifier) @other (_))

(argument name: (identifier) @keyword)
