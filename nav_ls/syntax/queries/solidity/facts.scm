; A generic outline: definitions and calls by name.

(contract_declaration) @class
(library_declaration) @class
(interface_declaration) @interface
(function_definition) @function
(modifier_definition) @function
(constructor_definition) @constructor
(struct_declaration) @struct
(enum_declaration) @enum
(call_expression function: (expression (identifier) @call))
(call_expression function: (expression (member_expression property: (identifier) @call.member)))
