-- What the server says about itself, and what happens when it dies.
local M = {}

local FIRST, LAST, CALM = 500, 60000, 60000 -- milliseconds
local by_root = {}
local started = false
local failures = 0
local last_failure = 0

--- @param status table `nav/status`
function M.set(status)
  started = true
  by_root[vim.uri_to_fname(status.root)] = status
  vim.cmd.redrawstatus()
end

--- What is known about the repository of the current buffer; nil where nav has never run.
function M.get()
  local client = vim.lsp.get_clients({ name = 'nav', bufnr = 0 })[1]
  if not client then
    return started and #vim.lsp.get_clients({ name = 'nav' }) == 0 and { state = 'off', message = 'the server is not running' } or nil
  end
  -- The repository may lie above the folder that the client was started for.
  for root, status in pairs(by_root) do
    if vim.fs.relpath(root, client.root_dir or '') then
      return status
    end
  end
  return { state = 'indexing', message = 'starting' }
end

--- As text: "nav", "nav indexing 43 %", "nav stale", "nav asleep", "nav off"; empty where nav has nothing to say.
function M.text()
  local status = M.get()
  if not status then
    return ''
  end
  if status.state == 'indexing' and status.percent then
    return ('nav indexing %d %%'):format(status.percent)
  end
  return status.state == 'fresh' and 'nav' or 'nav ' .. status.state
end

--- The server has ended.  It is started again, later each time; the first failure is told, not each.
function M.ended(code, signal)
  vim.schedule(function()
    by_root = {}
    if vim.v.exiting ~= vim.NIL or code == 0 and (signal == 0 or signal == 15) then
      return
    end
    local now = vim.uv.now()
    if now - last_failure > CALM + LAST then
      failures = 0
    end
    last_failure = now
    local delay = math.min(FIRST * 2 ^ failures, LAST)
    failures = failures + 1
    if failures == 1 then
      vim.notify('nav: the server ended and is being started again', vim.log.levels.WARN)
    end
    vim.defer_fn(function()
      if vim.lsp.is_enabled('nav') then
        vim.lsp.enable('nav')
      end
    end, delay)
  end)
end

return M
