; A generic outline: definitions and calls by name.

(module_definition) @module
(function_definition) @function
(macro_definition) @macro
(struct_definition) @struct
(assignment . (call_expression)) @function
(call_expression . (identifier) @call)
(call_expression . (field_expression (identifier) @call.member .))
