; A generic outline: definitions and calls by name.

(class_interface) @interface
(class_implementation) @class
(protocol_declaration) @interface
(method_definition) @function
(function_definition) @function
(call_expression function: (identifier) @call)
(message_expression method: (identifier) @call.member)
