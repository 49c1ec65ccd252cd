; inherits: c
; What only C++ has beside it.

(type_identifier) @name
(this) @receiver

(qualified_identifier scope: (_) name: (identifier) @other)
(qualified_identifier scope: (_) name: (type_identifier) @other)
(field_declaration declarator: (function_declarator
  parameters: (parameter_list (parameter_declaration declarator: (identifier) @other))))
