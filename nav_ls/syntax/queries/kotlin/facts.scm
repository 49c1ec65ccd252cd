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

(navigation_expression . (simple_identifier) @read)
(value_argument (simple_identifier) @value .)
(directly_assignable_expression . (simple_identifier) @written .)

(ERROR) @error
