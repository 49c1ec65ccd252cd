; Everything that the Python rules look at, in one query: one pass over the tree.

(function_definition) @function
(class_definition) @class
(lambda) @lambda
[(list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression)] @comprehension

(import_statement) @import
(import_from_statement) @import_from
(future_import_statement) @skip

(assignment) @assignment
(augmented_assignment) @augmented
(named_expression) @walrus
(for_statement) @for
(with_item) @with_item
(except_clause) @except
(global_statement) @global
(nonlocal_statement) @nonlocal
(delete_statement) @delete
(type_alias_statement) @type_alias
(case_clause) @case

(if_statement) @if
(elif_clause) @if
(while_statement) @if
(conditional_expression) @ternary
(boolean_operator) @boolean
(assert_statement) @assert

(return_statement) @return
(yield) @yield
(raise_statement) @raise

(call) @call
(attribute) @attribute
(decorator) @decorator

(argument_list [(identifier)] @value)
(argument_list (list_splat (identifier) @value))
(keyword_argument value: (identifier) @value)
(assignment right: (identifier) @value)
(named_expression value: (identifier) @value)
(return_statement (identifier) @value)
(yield (identifier) @value)
(expression_list (identifier) @value)
(list (identifier) @value)
(tuple (identifier) @value)
(set (identifier) @value)
(pair key: (identifier) @value)
(pair value: (identifier) @value)
(default_parameter value: (identifier) @value)
(typed_default_parameter value: (identifier) @value)
(conditional_expression (identifier) @value)
(boolean_operator (identifier) @value)
(not_operator (identifier) @value)
(comparison_operator (identifier) @value)
(binary_operator (identifier) @value)
(lambda body: (identifier) @value)
(await (identifier) @value)
(parenthesized_expression (identifier) @value)
(if_clause (identifier) @value)
(for_in_clause right: (identifier) @value)
(for_statement right: (identifier) @value)
(subscript value: (identifier) @read)
(subscript subscript: (identifier) @value)
(attribute object: (identifier) @read)
(raise_statement (identifier) @value)
(interpolation expression: (identifier) @value)
(with_item value: (identifier) @value)

(type (identifier) @type)
(type (attribute) @type)
(generic_type (identifier) @type)
(type (subscript (identifier) @type))
(type (binary_operator (identifier) @type))
(type (binary_operator (attribute) @type))
(except_clause (identifier) @type)
(except_clause (attribute) @type)

(ERROR) @error
