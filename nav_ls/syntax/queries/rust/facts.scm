; Everything that the Rust rules look at, in one query.  It also runs over what macro arguments parse to.

(mod_item) @mod
(use_declaration) @use
(extern_crate_declaration) @extern_crate

(function_item) @function
(function_signature_item) @function
(impl_item) @impl
(trait_item) @trait
(struct_item) @type
(union_item) @type
(enum_item) @type
(enum_variant) @variant
(type_item) @alias
(associated_type) @alias
(const_item) @const
(static_item) @const
(macro_definition) @macro_definition

(let_declaration) @let
(let_condition) @let_condition
(match_arm) @match_arm
(for_expression) @for
(closure_expression) @closure

(call_expression) @call
(macro_invocation) @macro

(arguments [(identifier) (scoped_identifier) (generic_function)] @value)
(let_declaration value: [(identifier) (scoped_identifier) (generic_function)] @value)
(const_item value: [(identifier) (scoped_identifier)] @value)
(static_item value: [(identifier) (scoped_identifier)] @value)
(field_initializer value: [(identifier) (scoped_identifier)] @value)
(assignment_expression right: [(identifier) (scoped_identifier)] @value)
(array_expression [(identifier) (scoped_identifier)] @value)
(tuple_expression [(identifier) (scoped_identifier)] @value)
(return_expression [(identifier) (scoped_identifier)] @value)
(reference_expression value: [(identifier) (scoped_identifier)] @value)
(type_cast_expression value: [(identifier) (scoped_identifier)] @value)
(match_arm value: [(identifier) (scoped_identifier)] @value)
(closure_expression body: [(identifier) (scoped_identifier)] @value)
(binary_expression [(identifier) (scoped_identifier)] @value)
(parenthesized_expression [(identifier) (scoped_identifier)] @value)
(block [(identifier) (scoped_identifier)] @value .)
(if_expression condition: [(identifier) (scoped_identifier)] @value)
(while_expression condition: [(identifier) (scoped_identifier)] @value)
(match_expression value: [(identifier) (scoped_identifier)] @value)
(for_expression value: [(identifier) (scoped_identifier)] @value)
(let_condition value: [(identifier) (scoped_identifier)] @value)
(unary_expression [(identifier) (scoped_identifier)] @value)
(range_expression [(identifier) (scoped_identifier)] @value)
(index_expression [(identifier) (scoped_identifier)] @value)
(compound_assignment_expr right: [(identifier) (scoped_identifier)] @value)
(field_expression value: [(identifier) (scoped_identifier)] @value)
(array_type length: [(identifier) (scoped_identifier)] @value)
(match_pattern [(identifier) (scoped_identifier)] @value)
(or_pattern [(identifier) (scoped_identifier)] @value)
(tuple_struct_pattern type: [(identifier) (scoped_identifier)] @value)
(assignment_expression left: [(identifier) (scoped_identifier)] @written)
(compound_assignment_expr left: [(identifier) (scoped_identifier)] @written)

(field_expression field: [(field_identifier) (integer_literal)]) @member
(field_initializer field: (field_identifier)) @initialised
(field_pattern name: [(field_identifier) (shorthand_field_identifier)]) @matched
(shorthand_field_initializer (identifier) @shorthand)

(type_identifier) @type_name
(scoped_identifier path: (identifier) @path)
(scoped_identifier path: (scoped_identifier name: (identifier) @path))
(scoped_type_identifier path: (identifier) @path)
(scoped_type_identifier path: (scoped_identifier name: (identifier) @path))

(ERROR) @error
