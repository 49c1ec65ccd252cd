; A generic outline: definitions and calls by name.

(data_type) @struct
(newtype) @struct
(class) @interface
(function name: (variable)) @function
(bind name: (variable)) @function
(apply function: (variable) @call)
(infix left_operand: (variable) @call)
