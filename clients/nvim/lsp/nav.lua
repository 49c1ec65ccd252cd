-- Configuration of the built-in client; `vim.lsp.enable('nav')` is all that is needed.
return {
  cmd = { vim.g.nav_server or 'nav-ls' },
  -- No filetypes: every language.  Buffers that are not files are left alone by root_dir.
  root_dir = function(buffer, found)
    if vim.bo[buffer].buftype ~= '' or vim.api.nvim_buf_get_name(buffer) == '' then
      return
    end
    found(vim.fs.root(buffer, { '.nav', '.git' }) or vim.fs.dirname(vim.api.nvim_buf_get_name(buffer)))
  end,
  handlers = {
    ['nav/status'] = function(_, status)
      require('nav').set_status(status)
    end,
  },
  on_attach = function(client, buffer)
    require('nav').attached(client, buffer)
  end,
}
