; Everything that the C# rules look at, in one query: one pass over the tree.

(namespace_declaration) @namespace
(file_scoped_namespace_declaration) @file_namespace
(using_directive) @using

(class_declaration) @type_def
(struct_declaration) @type_def
(interface_declaration) @type_def
(record_declaration) @type_def
(enum_declaration) @type_def
(delegate_declaration) @delegate
(enum_member_declaration) @enum_member

(method_declaration) @callable
(constructor_declaration) @callable
(destructor_declaration) @callable
(operator_declaration) @callable
(conversion_operator_declaration) @callable
(local_function_statement) @callable
(property_declaration) @property
(indexer_declaration) @property
(event_declaration) @property

(field_declaration) @field
(event_field_declaration) @field
(local_declaration_statement) @local
(using_statement) @local
(for_statement) @local
(fixed_statement) @local
(foreach_statement) @for_each
(catch_declaration) @catch
(lambda_expression) @lambda
(anonymous_method_expression) @lambda
(declaration_pattern) @pattern
(recursive_pattern) @pattern
(var_pattern) @pattern
(property_pattern_clause (subpattern . [(identifier) (member_access_expression)] @matched (_)))
(declaration_expression) @declaration
(from_clause) @range
(let_clause) @range
(join_clause) @range

(invocation_expression) @call
(object_creation_expression) @new
(implicit_object_creation_expression) @new
(constructor_initializer) @constructor_call
(primary_constructor_base_type) @base_call
(base_list (argument_list) @base_arguments)
(member_access_expression) @member
(conditional_access_expression) @member
(element_access_expression) @element
(binary_expression) @binary
(prefix_unary_expression) @unary
(initializer_expression (assignment_expression left: (identifier) @initialised))
(with_initializer . (identifier) @initialised)
(attribute) @attribute

(argument (identifier) @value)
(assignment_expression left: (identifier) @written)
(assignment_expression right: (identifier) @value)
(variable_declarator (identifier) @value)
(return_statement (identifier) @value)
(yield_statement (identifier) @value)
(arrow_expression_clause (identifier) @value)
(lambda_expression body: (identifier) @value)
(conditional_expression (identifier) @value)
(binary_expression (identifier) @value)
(parenthesized_expression (identifier) @value)
(initializer_expression (identifier) @value)
(cast_expression value: (identifier) @value)
(await_expression (identifier) @value)
(interpolation (identifier) @value)
(if_statement condition: (identifier) @value)
(while_statement condition: (identifier) @value)
(prefix_unary_expression (identifier) @value)
(postfix_unary_expression (identifier) @value)
(is_pattern_expression expression: (identifier) @value)
(as_expression left: (identifier) @value)
(switch_expression (identifier) @value)
(switch_statement value: (identifier) @value)
(foreach_statement right: (identifier) @value)
(throw_expression (identifier) @value)
(lock_statement (identifier) @value)
(member_access_expression expression: (identifier) @read)
(conditional_access_expression condition: (identifier) @read)
(element_access_expression expression: (identifier) @read)
(member_access_expression expression: (generic_name) @read)

(ERROR) @error
