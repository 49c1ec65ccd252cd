; A generic outline: definitions and calls by name.

(function_declaration) @function
(function_call name: (identifier) @call)
(function_call name: (dot_index_expression field: (identifier) @call.member))
(function_call name: (method_index_expression method: (identifier) @call.member))
(assignment_statement (variable_list name: (identifier) @named) (expression_list value: (function_definition)))
