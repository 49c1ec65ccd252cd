; A generic outline: definitions and calls by name.

(package_statement) @package
(subroutine_declaration_statement) @function
(function_call_expression function: (function) @call)
(ambiguous_function_call_expression function: (function) @call)
(method_call_expression method: (method) @call.member)
