; Everything that the Java rules look at, in one query: one pass over the tree.

(package_declaration) @package
(import_declaration) @import

(class_declaration) @type_def
(interface_declaration) @type_def
(enum_declaration) @type_def
(record_declaration) @type_def
(annotation_type_declaration) @type_def
(enum_constant) @enum_constant
(object_creation_expression (class_body)) @anonymous

(method_declaration) @callable
(constructor_declaration) @callable
(compact_constructor_declaration) @callable
(annotation_type_element_declaration) @callable

(field_declaration) @field
(constant_declaration) @field
(local_variable_declaration) @local
(enhanced_for_statement) @for_each
(catch_clause) @catch
(resource) @resource
(lambda_expression) @lambda
(instanceof_expression) @instanceof
(type_pattern) @type_pattern
(record_pattern) @record_pattern

(method_invocation) @call
(object_creation_expression) @new
(explicit_constructor_invocation) @constructor_call
(method_reference) @method_reference

(field_access) @member
(method_invocation object: (identifier) @qualifier)
(field_access object: (identifier) @qualifier)
(method_reference . (identifier) @qualifier)
(assignment_expression left: (identifier) @written)
(update_expression (identifier) @written)

(argument_list (identifier) @value)
(assignment_expression right: (identifier) @value)
(variable_declarator value: (identifier) @value)
(return_statement (identifier) @value)
(binary_expression (identifier) @value)
(unary_expression operand: (identifier) @value)
(ternary_expression (identifier) @value)
(parenthesized_expression (identifier) @value)
(cast_expression value: (identifier) @value)
(array_access (identifier) @value)
(array_initializer (identifier) @value)
(lambda_expression body: (identifier) @value)
(enhanced_for_statement value: (identifier) @value)
(instanceof_expression left: (identifier) @value)
(switch_label (identifier) @value)
(throw_statement (identifier) @value)
(element_value_pair value: (identifier) @value)

(type_identifier) @type
(marker_annotation) @annotation
(annotation) @annotation

(ERROR) @error
