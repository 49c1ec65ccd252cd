; What JavaScript and TypeScript have in common, in one query: one pass over the tree.

[
  (class_declaration)
  (class)
] @class

[
  (function_declaration)
  (generator_function_declaration)
  (function_expression)
  (generator_function)
  (arrow_function)
  (method_definition)
] @function

[
  (statement_block)
  (switch_body)
  (for_statement)
] @block

(class_static_block) @static_block

(variable_declarator) @declarator
(assignment_expression) @assignment
(augmented_assignment_expression) @augmented
(for_in_statement) @for_in
(catch_clause) @catch

(import_statement) @import
(export_statement) @export

(return_statement) @return
(yield_expression) @yield

(if_statement) @if
(while_statement) @if
(ternary_expression) @ternary
(binary_expression operator: "&&") @and
(binary_expression operator: "||") @or
(switch_statement) @switch

(call_expression) @call
(new_expression) @new
(member_expression) @member
(decorator) @decorator

(arguments (identifier) @value)
(arguments (spread_element (identifier) @value))
(array (identifier) @value)
(array (spread_element (identifier) @value))
(object (spread_element (identifier) @value))
(pair value: (identifier) @value)
(shorthand_property_identifier) @value
(variable_declarator value: (identifier) @value)
(assignment_expression right: (identifier) @value)
(augmented_assignment_expression right: (identifier) @value)
(assignment_pattern right: (identifier) @value)
(object_assignment_pattern right: (identifier) @value)
(return_statement (identifier) @value)
(yield_expression (identifier) @value)
(await_expression (identifier) @value)
(arrow_function body: (identifier) @value)
(ternary_expression (identifier) @value)
(binary_expression (identifier) @value)
(unary_expression (identifier) @value)
(parenthesized_expression (identifier) @wrapped)
(sequence_expression (identifier) @value)
(template_substitution (identifier) @value)
(member_expression object: (identifier) @read)
(subscript_expression object: (identifier) @read)
(subscript_expression index: (identifier) @value)
(export_statement value: (identifier) @value)
(throw_statement (identifier) @value)
(for_in_statement right: (identifier) @value)
(expression_statement (identifier) @value)
(switch_case value: (identifier) @value)
(computed_property_name (identifier) @value)

(ERROR) @error
