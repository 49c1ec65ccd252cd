; Names that may mean variables (see nav_ls/syntax/names.py).

(identifier) @name
(type_identifier) @name

(assignment_statement left: (expression_list (identifier) @write))
(inc_statement (identifier) @write)
(dec_statement (identifier) @write)
(range_clause left: (expression_list (identifier) @write) "=")
(receive_statement left: (expression_list (identifier) @write) "=")

(qualified_type name: (type_identifier) @other)
(function_declaration name: (identifier) @other)

; Parameters of what has no body: nothing can name them.
(function_type parameters: (parameter_list (parameter_declaration name: (identifier) @other)))
(function_type result: (parameter_list (parameter_declaration name: (identifier) @other)))
(method_elem parameters: (parameter_list (parameter_declaration name: (identifier) @other)))
(method_elem result: (parameter_list (parameter_declaration name: (identifier) @other)))

; Fields of a struct; keys of a map or an array are values.
(composite_literal
  type: [(type_identifier) (qualified_type) (generic_type)]
  body: (literal_value (keyed_element . (literal_element (identifier) @other))))
(literal_value (literal_element (literal_value (keyed_element . (literal_element (identifier) @other)))))
(keyed_element (literal_element) (literal_element (literal_value (keyed_element . (literal_element (identifier) @other)))))
