-- `:Nav ask`: the answer is streamed into a buffer; <CR> on a place that it cites opens it.
local M = {}

local VERDICTS = {
  answered = 'Every place that it cites was shown to the model.',
  doubtful = 'Not all that it says is backed by a place that was shown to the model: what is not is marked.',
  nothing = 'The code that was shown does not show it.',
  broken = 'The answer broke off.',
  refused = 'The model refused to answer.',
}

local streams = {} -- by token
local count = 0

--- A piece of an answer has come; whether it was one of ours.
function M.piece(params)
  local append = streams[params.token]
  local partial = append and params.value.partial
  if partial then
    append(partial.text)
  end
  return append ~= nil
end

local function write(buffer, first, text)
  if vim.api.nvim_buf_is_valid(buffer) then
    vim.bo[buffer].modifiable = true
    vim.api.nvim_buf_set_lines(buffer, first, -1, false, vim.split(text, '\n'))
    vim.bo[buffer].modifiable = false
  end
end

--- Open the citation under the cursor in the window that the question was asked from.
local function open(root)
  local line, column = vim.api.nvim_get_current_line(), vim.api.nvim_win_get_cursor(0)[2] + 1
  local start = 1
  while true do
    local first, last, path, number = line:find('([%w_@~+.$()/-]*[%w_)]):(%d+)', start)
    if not first then
      return
    end
    if column <= last then
      vim.cmd.wincmd('p')
      vim.cmd.edit(vim.fn.fnameescape(vim.fs.joinpath(root, path)))
      vim.api.nvim_win_set_cursor(0, { math.min(tonumber(number), vim.api.nvim_buf_line_count(0)), 0 })
      return
    end
    start = last + 1
  end
end

local function new_buffer(root)
  local buffer = require('nav').scratch({}, 'markdown')
  count = count + 1
  vim.b[buffer].nav_session = ('nvim-%d-%d'):format(vim.uv.os_getpid(), count)
  vim.keymap.set('n', '<CR>', function()
    open(root)
  end, { buffer = buffer, desc = 'open the place that is cited here' })
  return buffer
end

local function finished(answer)
  local told = { VERDICTS[answer.status] }
  vim.list_extend(told, answer.notes)
  if answer.model ~= '' then
    told[#told + 1] = 'Model: ' .. answer.model
  end
  told = vim.tbl_map(function(line)
    return (line:gsub('%.$', ''))
  end, told)
  return ('%s\n\n*%s*'):format(answer.marked, table.concat(told, ' · '))
end

--- Ask; in a buffer with an answer it is a further question.
function M.ask(nav, question)
  local buffer = vim.b.nav_session and vim.api.nvim_get_current_buf() or new_buffer(nav.root_dir)
  local before = vim.api.nvim_buf_line_count(buffer)
  local start = before == 1 and 0 or before
  write(buffer, start, (start == 0 and '' or '\n') .. '# ' .. question .. '\n\n')
  local first = vim.api.nvim_buf_line_count(buffer) - 1
  local token = ('nav-ask-%s-%d'):format(vim.b[buffer].nav_session, first)
  local text = ''
  streams[token] = function(piece)
    text = text .. piece
    write(buffer, first, text)
  end
  local command = {
    command = 'nav.ask',
    arguments = { { question = question, session = vim.b[buffer].nav_session }, { root = nav.root_dir } },
    workDoneToken = token,
  }
  local _, request = nav:request('workspace/executeCommand', command, function(failure, answer)
    streams[token] = nil
    write(buffer, first, failure and text .. '\n> ' .. failure.message:gsub('\n', '\n> ') or finished(answer))
  end)
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = buffer,
    once = true,
    callback = function()
      if streams[token] then
        nav:cancel_request(request)
      end
    end,
  })
end

return M
