-- "12 callers" above each definition, when `vim.g.nav_code_lens` is set.
local M = {}

--- Ask anew for the buffers that nav is attached to.
function M.refresh()
  for _, client in ipairs(vim.lsp.get_clients({ name = 'nav' })) do
    for buffer in pairs(client.attached_buffers) do
      if vim.api.nvim_buf_is_loaded(buffer) then
        vim.lsp.codelens.refresh({ bufnr = buffer })
      end
    end
  end
end

--- Keep the lenses of a buffer up to date, and open the callers when one is run.
function M.follow(buffer)
  vim.lsp.commands['nav.showCallers'] = function(command)
    local uri, position = unpack(command.arguments)
    require('nav').callers_at(vim.uri_to_fname(uri), position.line + 1)
  end
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave' }, {
    group = vim.api.nvim_create_augroup('nav.lenses.' .. buffer, {}),
    buffer = buffer,
    callback = function()
      vim.lsp.codelens.refresh({ bufnr = buffer })
    end,
  })
  vim.lsp.codelens.refresh({ bufnr = buffer })
end

return M
