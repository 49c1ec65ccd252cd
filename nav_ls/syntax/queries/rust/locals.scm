; Names that may mean variables (see nav_ls/syntax/names.py).

(identifier) @name
(type_identifier) @name
(shorthand_field_identifier) @name
(lifetime) @name
(self) @name
(macro_invocation (token_tree (string_literal (string_content) @format)))

(assignment_expression left: (identifier) @write)
(compound_assignment_expr left: (identifier) @write)

(lifetime (identifier) @other)
(label (identifier) @other)
(scoped_identifier name: (identifier) @other)
(scoped_type_identifier name: (type_identifier) @other)
(scoped_identifier path: (self) @other)
(macro_invocation macro: (identifier) @other)
(function_item name: (identifier) @other)
(use_declaration argument: (identifier) @other)
(mod_item name: (identifier) @other)
(attribute (identifier) @other)

; The parser sees no members among the tokens of a macro's arguments.
(token_tree "." . (identifier) @other)
(token_tree "::" . (identifier) @other)

; Parameters of what has no body: nothing can name them.
(function_signature_item parameters: (parameters (parameter pattern: (identifier) @other)))
