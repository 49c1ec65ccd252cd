; A generic outline: definitions and calls by name.

(Decl (FnProto) @function)
(SuffixExpr variable_type_function: (IDENTIFIER) @call . (FnCallArguments))
(FieldOrFnCall function_call: (IDENTIFIER) @call.member)
