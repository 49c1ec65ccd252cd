local M = {}

function M.check()
  local health = vim.health
  health.start('nav')
  if vim.fn.has('nvim-0.11') == 1 then
    health.ok('Neovim is 0.11 or newer')
  else
    health.error('Neovim 0.11 is needed')
  end
  local program = vim.g.nav_server or 'nav-ls'
  if vim.fn.executable(program) == 1 then
    health.ok(program .. ' is at ' .. vim.fn.exepath(program))
  else
    health.error(program .. ' was not found', { 'install nav, or set vim.g.nav_server to the path of nav-ls' })
  end
  local clients = vim.lsp.get_clients({ name = 'nav' })
  if #clients == 0 then
    health.warn('no buffer is attached', { "open a file; vim.lsp.enable('nav') must have run" })
  end
  for _, client in ipairs(clients) do
    health.ok(('attached: root %s, version %s'):format(client.root_dir, (client.server_info or {}).version or '?'))
  end
  health.info('status: ' .. require('nav').status())
end

return M
