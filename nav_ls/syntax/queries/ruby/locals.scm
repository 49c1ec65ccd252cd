; Names that may mean variables (see nav_ls/syntax/names.py).

(identifier) @name
(pair key: (hash_key_symbol) @name !value)
(keyword_pattern key: (hash_key_symbol) @name !value)

(self) @receiver

(call receiver: (_) method: (identifier) @other)
(method name: (identifier) @other)
(singleton_method name: (identifier) @other)
(alias (identifier) @other)

(argument_list (pair key: (hash_key_symbol) @keyword value: (_)))
