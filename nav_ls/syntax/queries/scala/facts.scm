; A generic outline: definitions and calls by name.

(object_definition) @object
(class_definition) @class
(trait_definition) @trait
(enum_definition) @enum
(function_definition) @function
(function_declaration) @function
(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (identifier) @call.member))
(instance_expression (type_identifier) @call)
(import_declaration) @import
