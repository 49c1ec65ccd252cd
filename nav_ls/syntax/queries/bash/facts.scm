; A generic outline: definitions and calls by name.

(function_definition) @function
(command name: (command_name (word) @call))
