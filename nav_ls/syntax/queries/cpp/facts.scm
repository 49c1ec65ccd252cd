; Everything that the C++ rules look at.  Directives never reach the tree (see preprocess.py).

(function_definition) @function
(declaration) @declaration
(field_declaration) @field
(type_definition) @typedef
[(struct_specifier) (union_specifier) (enum_specifier) (class_specifier)] @specifier

(translation_unit (compound_statement) @macro_body)
(declaration_list (compound_statement) @macro_body)
(namespace_definition) @namespace
(namespace_alias_definition) @namespace_alias
(using_declaration) @using
(alias_declaration) @alias
(lambda_expression) @lambda
(for_range_loop) @for_range
(catch_clause) @catch
(field_initializer) @field_initializer

(call_expression) @call
(new_expression) @new
(compound_literal_expression) @construct
(return_statement) @return
(binary_expression) @operator
(subscript_expression) @operator
(assignment_expression operator: ["+=" "-=" "*=" "/=" "%=" "<<=" ">>=" "&=" "|=" "^="]) @operator

(argument_list (identifier) @value)
(argument_list (qualified_identifier) @value)
(init_declarator value: (identifier) @value)
(init_declarator value: (qualified_identifier) @value)
(initializer_list (identifier) @value)
(initializer_list (qualified_identifier) @value)
(initializer_pair value: (identifier) @value)
(assignment_expression right: (identifier) @value)
(return_statement (identifier) @value)
(pointer_expression argument: (identifier) @value)
(pointer_expression argument: (qualified_identifier) @value)
(conditional_expression (identifier) @value)
(binary_expression (identifier) @value)
(parenthesized_expression (identifier) @value)
(cast_expression value: (identifier) @value)
(comma_expression (identifier) @value)
(unary_expression argument: (identifier) @value)
(subscript_expression argument: (identifier) @value)
(subscript_argument_list (identifier) @value)
(condition_clause value: (identifier) @value)
(field_declaration default_value: (identifier) @value)
(for_range_loop right: (identifier) @value)
(case_statement value: [(identifier) (qualified_identifier)] @value)
(binary_expression (qualified_identifier) @value)
(assignment_expression right: (qualified_identifier) @value)
(return_statement (qualified_identifier) @value)
(cast_expression value: (qualified_identifier) @value)
(conditional_expression (qualified_identifier) @value)
(field_declaration default_value: (qualified_identifier) @value)
(field_expression argument: [(identifier) (qualified_identifier)] @value)
(field_expression field: (field_identifier)) @member
(init_declarator value: (initializer_list)) @initialised
(compound_literal_expression value: (initializer_list)) @initialised
(assignment_expression left: [(identifier) (qualified_identifier)] @written)
(update_expression argument: [(identifier) (qualified_identifier)] @written)

(type_identifier) @type
(qualified_identifier scope: (namespace_identifier) @in_front)

(ERROR) @error
