; A generic outline: definitions and calls by name.

(module_definition) @module
(let_binding) @function
(type_binding) @struct
(class_binding) @class
(method_definition) @function
(application_expression function: (value_path (value_name) @call))
(method_invocation (method_name) @call.member)
