local M = {}

local function settings(health, config)
  local wrong = false
  for _, name in ipairs(config.names()) do
    local problem = config.problem(name)
    if problem then
      wrong = true
      health.error(problem)
    end
  end
  if not wrong then
    health.ok('the settings are allowed ones')
  end
end

function M.check()
  local health, config = vim.health, require('nav.config')
  health.start('nav')
  if vim.fn.has('nvim-0.11') == 1 then
    health.ok('Neovim is 0.11 or newer')
  else
    health.error('Neovim 0.11 is needed')
  end
  settings(health, config)
  local program = config.program()
  if vim.fn.executable(program) == 1 then
    health.ok(program .. ' is at ' .. vim.fn.exepath(program))
  else
    health.error(program .. ' was not found', { 'install nav, or set vim.g.nav_server_path to the path of nav-ls' })
  end
  local clients = vim.lsp.get_clients({ name = 'nav' })
  if #clients == 0 then
    health.warn('no buffer is attached', { "open a file; vim.lsp.enable('nav') must have run" })
  end
  for _, client in ipairs(clients) do
    health.ok(('attached: root %s, version %s'):format(client.root_dir, (client.server_info or {}).version or '?'))
  end
  health.info('picker: ' .. require('nav.pickers').name())
  health.info('status: ' .. require('nav.status').text())
end

return M
