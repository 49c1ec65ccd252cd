-- Configuration of the built-in client; `vim.lsp.enable('nav')` is all that is needed.
local config = require('nav.config')

return {
  cmd = { config.program() },
  -- No filetypes: every language.  Buffers that are not files are left alone by root_dir.
  root_dir = function(buffer, found)
    local name = vim.api.nvim_buf_get_name(buffer)
    if vim.bo[buffer].buftype == '' and name ~= '' then
      found(vim.fs.root(buffer, { '.nav', '.git' }) or vim.fs.dirname(name))
    end
  end,
  init_options = { codeLens = config.get('code_lens'), conform = config.get('conform') },
  capabilities = { workspace = { codeLens = { refreshSupport = true } } },
  handlers = {
    ['nav/status'] = function(_, status)
      require('nav.status').set(status)
    end,
    ['$/progress'] = function(failure, params, context)
      if not require('nav.answers').piece(params) then
        vim.lsp.handlers['$/progress'](failure, params, context)
      end
    end,
    ['workspace/codeLens/refresh'] = function()
      require('nav.lenses').refresh()
      return vim.NIL
    end,
  },
  on_init = function(client)
    require('nav.sharing').restrain(client)
  end,
  on_attach = function(_, buffer)
    if config.get('code_lens') then
      require('nav.lenses').follow(buffer)
    end
  end,
  on_exit = function(code, signal)
    require('nav.status').ended(code, signal)
  end,
}
