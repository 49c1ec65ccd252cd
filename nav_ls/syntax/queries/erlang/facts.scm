; A generic outline: definitions and calls by name.

(fun_decl) @function
(call expr: (atom) @call)
(call expr: (remote fun: (atom) @call.member))
