-- Living beside a language's own server: by default nav answers only what no other client of the buffer can.
local M = {}

local SHARED = {
  ['textDocument/definition'] = true,
  ['textDocument/references'] = true,
  ['textDocument/implementation'] = true,
  ['textDocument/hover'] = true,
  ['textDocument/documentSymbol'] = true,
  ['textDocument/documentHighlight'] = true,
  ['textDocument/prepareCallHierarchy'] = true,
  ['textDocument/prepareTypeHierarchy'] = true,
  ['workspace/symbol'] = true,
}

local function others_can(method, buffer)
  return vim.iter(vim.lsp.get_clients({ bufnr = buffer or 0 })):any(function(other)
    return other.name ~= 'nav' and other:supports_method(method, buffer)
  end)
end

--- Make a client deny what is not its turn.  The editor asks `supports_method` before each request, so it is decided
--- anew for each buffer, whoever comes and goes.
function M.restrain(client)
  local able = client.supports_method
  client.supports_method = function(first, ...)
    local arguments = { ... }
    if first ~= client then -- called the old way, with a dot
      table.insert(arguments, 1, first)
    end
    local method, buffer = unpack(arguments)
    if SHARED[method] then
      local mode = require('nav.config').get('beside_others')
      if mode == 'commands' or (mode == 'fill' and others_can(method, buffer)) then
        return false
      end
    end
    return able(client, method, buffer)
  end
end

return M
