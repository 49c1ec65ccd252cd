; Everything that the Go rules look at, in one query: one pass over the tree.

(package_clause (package_identifier) @package)
(import_spec) @import

(function_declaration) @function
(method_declaration) @method
(type_spec) @type_spec
(type_alias) @type_alias
(method_elem) @method_elem
(func_literal) @func_literal

(var_spec) @var
(const_declaration) @consts
(short_var_declaration) @short_var
(receive_statement) @receive
(range_clause) @range
(type_switch_statement) @type_switch

(call_expression) @call
(type_conversion_expression (generic_type)) @generic_call
(type_instantiation_expression) @instantiation

(argument_list [(identifier) (selector_expression)] @value)
(argument_list (variadic_argument [(identifier) (selector_expression)] @value))
(short_var_declaration right: (expression_list [(identifier) (selector_expression)] @value))
(assignment_statement right: (expression_list [(identifier) (selector_expression)] @value))
(const_spec value: (expression_list [(identifier) (selector_expression)] @value))
(var_spec value: (expression_list [(identifier) (selector_expression)] @value))
(return_statement (expression_list [(identifier) (selector_expression)] @value))
(expression_case value: (expression_list [(identifier) (selector_expression)] @value))
(expression_switch_statement value: [(identifier) (selector_expression)] @value)
(if_statement condition: [(identifier) (selector_expression)] @value)
(for_statement [(identifier) (selector_expression)] @value)
(for_clause condition: [(identifier) (selector_expression)] @value)
(literal_element [(identifier) (selector_expression)] @value)
(binary_expression [(identifier) (selector_expression)] @value)
(unary_expression [(identifier) (selector_expression)] @value)
(parenthesized_expression [(identifier) (selector_expression)] @value)
(send_statement [(identifier) (selector_expression)] @value)
(range_clause right: [(identifier) (selector_expression)] @value)
(index_expression [(identifier) (selector_expression)] @value)
(slice_expression [(identifier) (selector_expression)] @value)
(type_assertion_expression operand: [(identifier) (selector_expression)] @value)
(type_conversion_expression operand: [(identifier) (selector_expression)] @value)
(type_switch_statement value: [(identifier) (selector_expression)] @value)
(selector_expression operand: (selector_expression) @value)
(assignment_statement left: (expression_list [(identifier) (selector_expression)] @written))
(inc_statement [(identifier) (selector_expression)] @written)
(dec_statement [(identifier) (selector_expression)] @written)
(composite_literal) @composite

(type_identifier) @type

(ERROR) @error
