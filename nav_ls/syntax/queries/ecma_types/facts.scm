; TypeScript only.

(abstract_class_declaration) @class
(function_signature) @signature
[
  (method_signature)
  (abstract_method_signature)
] @member_signature
(property_signature) @property
(object) @object
[
  (call_signature)
  (construct_signature)
] @type_signature
(public_field_definition) @field
(public_field_definition value: (identifier) @value)
(interface_declaration) @interface
(type_alias_declaration) @alias
(enum_declaration) @enum
[
  (internal_module)
  (module)
] @namespace
(import_alias) @import_alias

(as_expression (identifier) @wrapped)
(satisfies_expression (identifier) @wrapped)
(non_null_expression (identifier) @wrapped)
(required_parameter value: (identifier) @value)
(optional_parameter value: (identifier) @value)

(type_identifier) @type
(extends_clause value: (identifier) @type)
(extends_clause value: (member_expression) @type)
(type_query (identifier) @type)
