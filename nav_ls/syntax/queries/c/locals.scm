; Names that may mean variables (see nav_ls/syntax/names.py), in C and in C++.

(identifier) @name

(assignment_expression left: (identifier) @write)
(update_expression argument: (identifier) @write)

; Parameters of what has no body: nothing can name them.
(declaration declarator: (function_declarator
  parameters: (parameter_list (parameter_declaration declarator: (identifier) @other))))
(declaration declarator: (function_declarator
  parameters: (parameter_list (parameter_declaration declarator: (pointer_declarator (identifier) @other)))))
(declaration declarator: (pointer_declarator (function_declarator
  parameters: (parameter_list (parameter_declaration declarator: (identifier) @other)))))
(declaration declarator: (pointer_declarator (function_declarator
  parameters: (parameter_list (parameter_declaration declarator: (pointer_declarator (identifier) @other))))))
(function_declarator
  declarator: (parenthesized_declarator)
  parameters: (parameter_list (parameter_declaration declarator: (identifier) @other)))
