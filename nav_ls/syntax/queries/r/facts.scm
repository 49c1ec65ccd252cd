; A generic outline: definitions and calls by name.

((binary_operator lhs: (identifier) @named operator: ["<-" "=" "<<-"] rhs: (function_definition)))
(call function: (identifier) @call)
(call function: (namespace_operator rhs: (identifier) @call.member))
(call function: (extract_operator rhs: (identifier) @call.member))
