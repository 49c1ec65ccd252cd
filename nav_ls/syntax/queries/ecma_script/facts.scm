; JavaScript only.

(field_definition) @field
(field_definition value: (identifier) @value)
(class_heritage (identifier) @type)
(class_heritage (member_expression) @type)

((comment) @comment (#match? @comment "@(typedef|import)"))
