; JSX.

[
  (jsx_opening_element)
  (jsx_self_closing_element)
] @jsx

(jsx_expression (identifier) @value)
(jsx_expression (spread_element (identifier) @value))
