; A generic outline: definitions and calls by name.

(class_definition) @class
(mixin_declaration) @class
(extension_declaration) @class
(enum_declaration) @enum
(function_signature) @function
(getter_signature) @function
(setter_signature) @function
(constructor_signature) @constructor
((identifier) @call . (selector (argument_part)))
((selector (unconditional_assignable_selector (identifier) @call.member)) . (selector (argument_part)))
