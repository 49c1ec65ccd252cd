-- What `:Nav` does.  Everything is asked of the server; this file turns answers into lists.
local M = {}

local status = { state = 'off' }

--- @param new table what the server says in `nav/status`
function M.set_status(new)
  status = new
  vim.cmd.redrawstatus()
end

--- For a statusline: `%{v:lua.require'nav'.status()}`.
function M.status()
  if #vim.lsp.get_clients({ name = 'nav' }) == 0 then
    return ''
  end
  if status.state == 'indexing' and status.percent then
    return ('nav indexing %d %%%%'):format(status.percent)
  end
  return status.state == 'fresh' and 'nav' or 'nav ' .. status.state
end

-- Other clients' answers come first: nav keeps the capabilities that no other client of the buffer has.
-- `vim.g.nav_beside = true` lets it answer beside them.
local SHARED = {
  definitionProvider = 'textDocument/definition',
  referencesProvider = 'textDocument/references',
  implementationProvider = 'textDocument/implementation',
  hoverProvider = 'textDocument/hover',
  documentSymbolProvider = 'textDocument/documentSymbol',
  documentHighlightProvider = 'textDocument/documentHighlight',
  callHierarchyProvider = 'textDocument/prepareCallHierarchy',
  typeHierarchyProvider = 'textDocument/prepareTypeHierarchy',
  workspaceSymbolProvider = 'workspace/symbol',
}

local function yield_to_others(buffer)
  local nav = vim.lsp.get_clients({ name = 'nav', bufnr = buffer })[1]
  if not nav or vim.g.nav_beside then
    return
  end
  for _, other in ipairs(vim.lsp.get_clients({ bufnr = buffer })) do
    if other.name ~= 'nav' then
      for capability, method in pairs(SHARED) do
        if other:supports_method(method, buffer) then
          nav.server_capabilities[capability] = nil
        end
      end
    end
  end
end

--- Called when the client comes to a buffer.
function M.attached(_, buffer)
  status = status.state == 'off' and { state = 'fresh' } or status
  vim.api.nvim_create_autocmd('LspAttach', {
    group = vim.api.nvim_create_augroup('nav', { clear = false }),
    buffer = buffer,
    callback = function()
      yield_to_others(buffer)
    end,
  })
  vim.schedule(function()
    yield_to_others(buffer)
  end)
end

local function complain(text)
  vim.notify('nav: ' .. text, vim.log.levels.ERROR)
end

local function client()
  local found = vim.lsp.get_clients({ name = 'nav', bufnr = 0 })[1] or vim.lsp.get_clients({ name = 'nav' })[1]
  if not found then
    complain('the server is not running; see :checkhealth nav')
  end
  return found
end

--- Run `nav.<name>` and hand its result to `done`; errors are told.
local function ask(name, params, done)
  local nav = client()
  if not nav then
    return
  end
  local command = { command = 'nav.' .. name, arguments = { params, { root = nav.root_dir } } }
  nav:request('workspace/executeCommand', command, function(failure, result)
    if failure then
      complain(failure.message)
    else
      done(result, nav)
    end
  end)
end
M.ask = ask

local function relative(nav, path)
  return vim.fs.relpath(nav.root_dir, path) or path
end

--- The cursor as a target, unless one was typed.
local function target(words)
  if words[1] then
    return table.concat(words, ' ')
  end
  local nav = client()
  return nav and ('%s:%d'):format(relative(nav, vim.api.nvim_buf_get_name(0)), vim.api.nvim_win_get_cursor(0)[1])
end

-- Results in the quickfix list, or with `:Nav! ...` in the window's location list.
local function list(title, items, command)
  if #items == 0 then
    vim.notify('nav: ' .. title .. ': none')
    return
  end
  local what = { title = title, items = items }
  if command.bang then
    vim.fn.setloclist(0, {}, ' ', what)
    vim.cmd('lopen')
  else
    vim.fn.setqflist({}, ' ', what)
    vim.cmd('botright copen')
  end
end

local function rows_to_items(nav, rows, mark)
  local items = {}
  for _, row in ipairs(rows) do
    for _, site in ipairs(row.sites) do
      items[#items + 1] = {
        filename = vim.fs.joinpath(nav.root_dir, row.path),
        lnum = site.line,
        col = site.column,
        text = ('%s  [%s]'):format(row.symbol, mark or row.evidence or row.why),
      }
    end
  end
  return items
end

local function concat(...)
  local all = {}
  for _, part in ipairs({ ... }) do
    vim.list_extend(all, part)
  end
  return all
end

local function hit_text(hit)
  return ('%s  %s:%d'):format(hit.symbol ~= '' and hit.symbol or hit.path, hit.path, hit.start_line)
end

--- Choose among hits with whichever picker is there.
local function pick(nav, title, hits)
  local function open(hit)
    vim.cmd.edit(vim.fn.fnameescape(vim.fs.joinpath(nav.root_dir, hit.path)))
    vim.api.nvim_win_set_cursor(0, { hit.start_line, 0 })
  end
  local picker = require('nav.pickers').find(vim.g.nav_picker)
  picker({
    title = title,
    items = hits,
    text = hit_text,
    open = open,
    file = function(hit)
      return vim.fs.joinpath(nav.root_dir, hit.path)
    end,
  })
end

local function float(lines, filetype)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].filetype = filetype
  vim.bo[buffer].bufhidden = 'wipe'
  vim.cmd('botright split')
  vim.api.nvim_win_set_buf(0, buffer)
end

local COMMANDS = {
  callers = function(words, command)
    ask('callers', { target = target(words) }, function(found, nav)
      local items = concat(
        rows_to_items(nav, found.callers),
        rows_to_items(nav, found.uses, 'used as a value'),
        rows_to_items(nav, found.possible, 'possible')
      )
      list('callers of ' .. found.symbol.symbol, items, command)
    end)
  end,
  callees = function(words, command)
    ask('callees', { target = target(words) }, function(found, nav)
      local here = vim.fs.joinpath(nav.root_dir, found.symbol.path)
      local items = rows_to_items(nav, found.callees)
      for _, item in ipairs(items) do
        item.filename = here -- the sites are in the caller
      end
      list('callees of ' .. found.symbol.symbol, items, command)
    end)
  end,
  search = function(words)
    local function search(text)
      if text and text ~= '' then
        ask('search', { query = text }, function(found, nav)
          pick(nav, text, found.hits)
        end)
      end
    end
    if words[1] then
      search(table.concat(words, ' '))
    else
      vim.ui.input({ prompt = 'nav search: ' }, search)
    end
  end,
  impact = function(words, command)
    ask('impact', { target = target(words) }, function(found, nav)
      list('impact of changing ' .. target(words), rows_to_items(nav, found.affected or {}), command)
    end)
  end,
  context = function(words)
    ask('context', { task = target(words) }, function(found)
      vim.fn.setreg('"', found.text)
      pcall(vim.fn.setreg, '+', found.text) -- there may be no clipboard
      float(vim.split(found.text, '\n'), 'markdown')
    end)
  end,
  status = function()
    ask('status', vim.empty_dict(), function(found)
      float(vim.split(vim.inspect(found), '\n'), 'lua')
    end)
  end,
  reindex = function()
    ask('index', { full = true }, function()
      vim.notify('nav: indexed')
    end)
  end,
}

--- `:Nav WORD ...`
function M.run(words, command)
  local rest = vim.list_slice(words, 2)
  local run = COMMANDS[words[1]]
  if run then
    run(rest, command or {})
  else
    complain('say one of: ' .. table.concat(vim.tbl_keys(COMMANDS), ', '))
  end
end

--- Completion of `:Nav`.
function M.complete(lead, line)
  if #vim.split(line, '%s+') > 2 then
    return {}
  end
  local names = vim.tbl_filter(function(name)
    return vim.startswith(name, lead)
  end, vim.tbl_keys(COMMANDS))
  table.sort(names)
  return names
end

return M
