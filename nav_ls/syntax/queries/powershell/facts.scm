; A generic outline: definitions and calls by name.

(function_statement) @function
(class_statement) @class
(class_method_definition) @function
(command command_name: (command_name) @call)
(invokation_expression (member_name) @call.member)
