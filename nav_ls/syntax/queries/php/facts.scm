; Everything that the PHP rules look at, in one query.

(namespace_definition) @namespace
(namespace_use_declaration) @use

(class_declaration) @class
(interface_declaration) @class
(trait_declaration) @class
(enum_declaration) @class
(anonymous_class) @anonymous_class
(function_definition) @function
(method_declaration) @function
(anonymous_function) @closure
(arrow_function) @closure

(property_declaration) @property
(const_declaration) @const
(enum_case) @enum_case
(use_declaration) @use_trait

(assignment_expression) @assignment
(reference_assignment_expression) @assignment
(foreach_statement) @foreach
(catch_clause) @catch
(global_declaration (variable_name) @declared)
(function_static_declaration (static_variable_declaration) @declared)
(if_statement) @if
(else_if_clause) @if
(while_statement) @if
(binary_expression operator: ["&&" "and" "||" "or"]) @and
(conditional_expression) @expression
(match_conditional_expression) @match_arm
(return_statement) @return
(comment) @comment
(expression_statement (comment)) @skip

(function_call_expression) @call
(member_call_expression) @call
(nullsafe_member_call_expression) @call
(scoped_call_expression) @call
(object_creation_expression) @new
(member_access_expression) @member
(nullsafe_member_access_expression) @member
(scoped_property_access_expression) @member
(class_constant_access_expression) @member
(array_creation_expression) @array

(named_type) @type
(scoped_call_expression scope: [(name) (qualified_name)] @type)
(scoped_property_access_expression scope: [(name) (qualified_name)] @type)
(class_constant_access_expression . [(name) (qualified_name)] @type)
(base_clause [(name) (qualified_name)] @type)
(class_interface_clause [(name) (qualified_name)] @type)
(binary_expression operator: "instanceof" right: [(name) (qualified_name)] @type)

(include_expression) @include
(require_expression) @include
(require_once_expression) @include
(include_once_expression) @include

(ERROR) @error
