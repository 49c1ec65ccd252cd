-- `vim.g.nav_*`, with the defaults and the allowed values of the generated table.
local known = require('nav.settings')

local M = {}

--- The value of a setting; one that is not allowed counts as the default and is told by `:checkhealth nav`.
--- @param name string without `nav_`
function M.get(name)
  local value = vim.g['nav_' .. name]
  return (value == nil or M.problem(name)) and known[name].default or value
end

--- What is wrong with a setting, nil if nothing is.
function M.problem(name)
  local value, setting = vim.g['nav_' .. name], known[name]
  if value == nil then
    return
  end
  if type(value) ~= type(setting.default) then
    return ('vim.g.nav_%s must be a %s'):format(name, type(setting.default))
  end
  if setting.allowed and not vim.list_contains(setting.allowed, value) then
    return ('vim.g.nav_%s must be one of: %s'):format(name, table.concat(setting.allowed, ', '))
  end
end

--- The names of all settings, in order.
function M.names()
  local names = vim.tbl_keys(known)
  table.sort(names)
  return names
end

--- The server's program.
function M.program()
  local path = M.get('server_path')
  return path ~= '' and path or 'nav-ls'
end

return M
