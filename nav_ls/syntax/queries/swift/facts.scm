; A generic outline: definitions and calls by name.

(class_declaration) @class
(protocol_declaration) @interface
(function_declaration) @function
(protocol_function_declaration) @function
(init_declaration) @constructor
(call_expression . (simple_identifier) @call)
(call_expression . (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @call.member)))
(import_declaration (identifier) @import)
