-- What `:Nav` does.  Everything is asked of the server; this file turns answers into lists.
local config = require('nav.config')

local M = {}

--- For a statusline: `%{v:lua.require'nav'.status()}`.
function M.status()
  return require('nav.status').text()
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

local function request(nav, name, params)
  return 'workspace/executeCommand', { command = 'nav.' .. name, arguments = { params, { root = nav.root_dir } } }
end

--- Run `nav.<name>` and hand its result to `done`; errors are told.
function M.ask(name, params, done)
  local nav = client()
  if not nav then
    return
  end
  local method, command = request(nav, name, params)
  nav:request(method, command, function(failure, result)
    if failure then
      complain(failure.message)
    else
      done(result, nav)
    end
  end)
end

local function relative(nav, path)
  return vim.fs.relpath(nav.root_dir, path) or path
end

--- The cursor as a target, unless one was typed; nil without a server.
local function target(words)
  if words[1] then
    return table.concat(words, ' ')
  end
  local nav = client()
  return nav and ('%s:%d'):format(relative(nav, vim.api.nvim_buf_get_name(0)), vim.api.nvim_win_get_cursor(0)[1])
end

--- Ask about a target; without a server there is none, and that was told.
local function about(name, words, done)
  local what = target(words)
  if what then
    M.ask(name, { target = what }, done)
  end
end

-- Results in the quickfix list, or with `:Nav! ...` in the window's location list.
local function list(title, items, local_list)
  if #items == 0 then
    vim.notify('nav: ' .. title .. ': none')
    return
  end
  local what = { title = title, items = items }
  if local_list then
    vim.fn.setloclist(0, {}, ' ', what)
    vim.cmd('lopen')
  else
    vim.fn.setqflist({}, ' ', what)
    vim.cmd('botright copen')
  end
end

local function entry(nav, path, line, column, text)
  return { filename = vim.fs.joinpath(nav.root_dir, path), lnum = math.max(line, 1), col = column, text = text }
end

local function sites(nav, rows, mark, path)
  local items = {}
  for _, row in ipairs(rows) do
    for _, site in ipairs(row.sites) do
      local text = ('%s  [%s]'):format(row.symbol, mark or row.evidence)
      items[#items + 1] = entry(nav, path or row.path, site.line, site.column, text)
    end
  end
  return items
end

local function show_callers(found, nav, local_list)
  local items = sites(nav, found.callers)
  vim.list_extend(items, sites(nav, found.uses, 'used as a value'))
  vim.list_extend(items, sites(nav, found.possible, 'possible'))
  list('callers of ' .. found.symbol.symbol, items, local_list)
end

--- Callers of what is defined at a line of a file, in the quickfix list.
function M.callers_at(file, line)
  local nav = client()
  if nav then
    about('callers', { ('%s:%d'):format(relative(nav, file), line) }, show_callers)
  end
end

--- A window below with a buffer that is no file.
function M.scratch(lines, filetype)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].filetype = filetype
  vim.bo[buffer].bufhidden = 'wipe'
  vim.cmd('botright split')
  vim.api.nvim_win_set_buf(0, buffer)
  return buffer
end

local function hit_text(hit)
  return ('%s  %s:%d'):format(hit.symbol ~= '' and hit.symbol or hit.path, hit.path, hit.line)
end

--- Choose among hits with whichever picker is there.
local function pick(nav, title, hits)
  require('nav.pickers').pick({
    title = title,
    root = nav.root_dir,
    items = hits,
    text = hit_text,
    file = function(hit)
      return vim.fs.joinpath(nav.root_dir, hit.path)
    end,
    open = function(hit)
      vim.cmd.edit(vim.fn.fnameescape(vim.fs.joinpath(nav.root_dir, hit.path)))
      vim.api.nvim_win_set_cursor(0, { hit.line, 0 })
    end,
  })
end

local function question(text)
  local nav = text and text ~= '' and client()
  if nav then
    require('nav.answers').ask(nav, text)
  end
end

local function search(text, command)
  if not text or text == '' then
    return
  end
  M.ask('search', { query = text, k = config.get('palette_limit') }, function(found, nav)
    if command.bang or #found.hits == 0 then
      list(text, vim.tbl_map(function(hit)
        return entry(nav, hit.path, hit.line, 1, hit.symbol .. '  ' .. hit.signature)
      end, found.hits), command.bang)
    else
      pick(nav, text, found.hits)
    end
  end)
end

local COMMANDS = {
  callers = function(words, command)
    about('callers', words, function(found, nav)
      show_callers(found, nav, command.bang)
    end)
  end,
  callees = function(words, command)
    about('callees', words, function(found, nav)
      -- The calls stand in the caller's file.
      list('callees of ' .. found.symbol.symbol, sites(nav, found.callees, nil, found.symbol.path), command.bang)
    end)
  end,
  search = function(words, command)
    if words[1] then
      search(table.concat(words, ' '), command)
    else
      vim.ui.input({ prompt = 'nav search: ' }, function(text)
        search(text, command)
      end)
    end
  end,
  ask = function(words)
    if words[1] then
      question(table.concat(words, ' '))
    else
      vim.ui.input({ prompt = 'nav ask: ' }, question)
    end
  end,
  impact = function(words, command)
    about('impact', words, function(found, nav)
      local items = vim.tbl_map(function(row)
        local text = ('%s  [%s, step %d%s]'):format(row.symbol, row.evidence, row.depth, row.test and ', test' or '')
        return entry(nav, row.path, row.line, 1, text)
      end, found.rows)
      list('impact of changing ' .. found.symbol.symbol, items, command.bang)
    end)
  end,
  context = function(words)
    about('show', words, function(found)
      if found.text == '' then
        complain(found.reason)
        return
      end
      vim.fn.setreg('"', found.text)
      pcall(vim.fn.setreg, '+', found.text) -- there may be no clipboard
      M.scratch(vim.split(found.text, '\n'), 'markdown')
    end)
  end,
  status = function()
    M.ask('status', vim.empty_dict(), function(found)
      M.scratch(vim.split(vim.inspect(found), '\n'), 'lua')
    end)
  end,
  reindex = function()
    M.ask('index', { full = true }, function(found)
      vim.notify(('nav: indexed %d files'):format(found.report.files))
    end)
  end,
}

--- `:Nav WORD ...`
function M.run(words, command)
  local run = COMMANDS[words[1]]
  if run then
    run(vim.list_slice(words, 2), command or {})
  else
    local names = vim.tbl_keys(COMMANDS)
    table.sort(names)
    complain('say one of: ' .. table.concat(names, ', '))
  end
end

local TARGETED = { callers = true, callees = true, impact = true, context = true }
local SOON = 300 -- milliseconds that a completion may take

local function symbols(lead)
  local nav = vim.lsp.get_clients({ name = 'nav' })[1]
  if not nav or lead == '' then
    return {}
  end
  local method, command = request(nav, 'symbols', { query = lead })
  local answer = nav:request_sync(method, command, SOON)
  local names = vim.tbl_map(function(symbol)
    return symbol.symbol
  end, answer and answer.result and answer.result.symbols or {})
  return vim.fn.uniq(vim.fn.sort(names))
end

--- Completion of `:Nav`: its words, then names of definitions.
function M.complete(lead, line)
  local words = vim.split(line, '%s+')
  if #words > 2 then
    return TARGETED[words[2]] and #words == 3 and symbols(lead) or {}
  end
  local names = vim.tbl_filter(function(name)
    return vim.startswith(name, lead)
  end, vim.tbl_keys(COMMANDS))
  table.sort(names)
  return names
end

return M
