(type_identifier) @name

(nested_type_identifier name: (type_identifier) @other)
(internal_module name: (identifier) @other)

; Parameters of what has no body: nothing can name them.
(function_type parameters: (formal_parameters (_ pattern: (identifier) @other)))
(constructor_type parameters: (formal_parameters (_ pattern: (identifier) @other)))
(method_signature parameters: (formal_parameters (_ pattern: (identifier) @other)))
(abstract_method_signature parameters: (formal_parameters (_ pattern: (identifier) @other)))
(call_signature parameters: (formal_parameters (_ pattern: (identifier) @other)))
(construct_signature parameters: (formal_parameters (_ pattern: (identifier) @other)))
(function_signature parameters: (formal_parameters (_ pattern: (identifier) @other)))
(index_signature name: (identifier) @other)
