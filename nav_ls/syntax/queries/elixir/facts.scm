; A generic outline: definitions and calls by name.

((call target: (identifier) @kw) @module (#any-of? @kw "defmodule" "defprotocol" "defimpl"))
((call target: (identifier) @kw) @function (#any-of? @kw "def" "defp" "defmacro" "defmacrop" "defguard" "defdelegate"))
((call target: (identifier) @call)
  (#not-any-of? @call "defmodule" "defprotocol" "defimpl" "def" "defp" "defmacro" "defmacrop" "defguard" "defdelegate" "defstruct" "import" "alias" "use" "require" "doc" "moduledoc" "spec" "type"))
(call target: (dot right: (identifier) @call.member))
