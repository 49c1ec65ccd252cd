; Names that may mean variables (see nav_ls/syntax/names.py).

(variable_name) @name

(augmented_assignment_expression left: (variable_name) @write)
(update_expression argument: (variable_name) @write)

((variable_name) @receiver (#eq? @receiver "$this"))

(scoped_property_access_expression name: (variable_name) @other)
(property_element (variable_name) @other)

(argument name: (name) @keyword)
