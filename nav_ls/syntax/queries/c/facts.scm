; Everything that the C rules look at.  Directives never reach the tree (see preprocess.py).

(function_definition) @function
(declaration) @declaration
(field_declaration) @field
(type_definition) @typedef
[(struct_specifier) (union_specifier) (enum_specifier)] @specifier

(call_expression) @call
(return_statement) @return

(argument_list (identifier) @value)
(init_declarator value: (identifier) @value)
(initializer_list (identifier) @value)
(initializer_pair value: (identifier) @value)
(assignment_expression right: (identifier) @value)
(return_statement (identifier) @value)
(pointer_expression argument: (identifier) @value)
(conditional_expression (identifier) @value)
(binary_expression (identifier) @value)
(parenthesized_expression (identifier) @value)
(cast_expression value: (identifier) @value)
(comma_expression (identifier) @value)
(unary_expression argument: (identifier) @value)
(subscript_expression (identifier) @value)
(case_statement value: (identifier) @value)
(field_expression argument: (identifier) @value)
(field_expression field: (field_identifier)) @member
(init_declarator value: (initializer_list)) @initialised
(compound_literal_expression value: (initializer_list)) @initialised
(assignment_expression left: (identifier) @written)
(update_expression argument: (identifier) @written)

(type_identifier) @type

(ERROR) @error
