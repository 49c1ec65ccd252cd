; Everything that the Ruby rules look at, in one query.

(class) @class
(module) @module
(singleton_class) @singleton_class
(method) @method
(singleton_method) @singleton_method

(assignment) @assignment
(operator_assignment) @operator_assignment
(for) @for
(rescue) @rescue
(in_clause) @pattern
(match_pattern) @pattern
(test_pattern) @pattern
(alias) @alias

(call) @call
(super) @super
(yield) @skip
(return) @return
(block) @block
(do_block) @block
(lambda) @block

(identifier) @identifier
(constant) @constant
[(instance_variable) (class_variable)] @field

(ERROR) @error
