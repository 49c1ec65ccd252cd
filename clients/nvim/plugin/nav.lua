if vim.g.loaded_nav then
  return
end
vim.g.loaded_nav = true

vim.api.nvim_create_user_command('Nav', function(command)
  require('nav').run(command.fargs, command)
end, {
  nargs = '*',
  bang = true,
  desc = 'callers, callees, search and context from the nav index',
  complete = function(lead, line)
    return require('nav').complete(lead, line)
  end,
})

if require('nav.config').get('enable') then
  vim.lsp.enable('nav')
end
