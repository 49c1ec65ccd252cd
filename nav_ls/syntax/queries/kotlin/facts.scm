; Everything that the Kotlin rules look at, in one query: one pass over the tree.

(package_header) @package
(import_header) @import

(class_declaration) @type_def
(object_declaration) @type_def
(companion_object) @type_def
(enum_entry) @enum_entry
(object_literal) @anonymous
(type_alias) @alias

(function_declaration) @callable
(secondary_constructor) @callable
(property_declaration) @property

(for_statement) @for_each
(catch_block) @catch
(lambda_literal) @lambda
(anonymous_function) @lambda
(if_expression) @if
(when_entry) @when
(when_subject) @when_subject
(conjunction_expression) @conjunction

(call_expression) @call
(constructor_invocation) @constructor
(constructor_delegation_call) @delegation
(callable_reference) @reference
(navigation_expression) @member
(infix_expression) @infix
(additive_expression) @operator
(multiplicative_expression) @operator
(indexing_expression) @indexing
(user_type) @type

(assignment (directly_assignable_expression (navigation_suffix)) @assigned)
(navigation_expression . (simple_identifier) @read)
(value_argument (simple_identifier) @value .)
(property_declaration (variable_declaration) (simple_identifier) @value)
(assignment (directly_assignable_expression) (simple_identifier) @value)
(function_body (simple_identifier) @value)
(jump_expression (simple_identifier) @value)
(control_structure_body (simple_identifier) @value)
(statements (simple_identifier) @value .)
(if_expression condition: (simple_identifier) @value)
(when_subject (simple_identifier) @value)
(when_condition (simple_identifier) @value)
(while_statement (simple_identifier) @value)
(for_statement (variable_declaration) (simple_identifier) @value)
(additive_expression (simple_identifier) @value)
(multiplicative_expression (simple_identifier) @value)
(comparison_expression (simple_identifier) @value)
(equality_expression (simple_identifier) @value)
(conjunction_expression (simple_identifier) @value)
(disjunction_expression (simple_identifier) @value)
(elvis_expression (simple_identifier) @value)
(infix_expression (simple_identifier) @value)
(range_expression (simple_identifier) @value)
(check_expression (simple_identifier) @value)
(as_expression (simple_identifier) @value)
(prefix_expression (simple_identifier) @value)
(postfix_expression (simple_identifier) @value)
(parenthesized_expression (simple_identifier) @value)
(indexing_expression . (simple_identifier) @value)
(indexing_suffix (simple_identifier) @value)
(interpolated_expression (simple_identifier) @value)
(string_literal (interpolated_identifier) @value)
(directly_assignable_expression . (simple_identifier) @written .)

(ERROR) @error
