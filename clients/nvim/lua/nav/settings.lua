-- What `vim.g.nav_*` may say: generated from nav_ls/config by `python -m clients.settings`.
return {
  server_path = { default = '' },
  enable = { default = true },
  beside_others = { default = 'fill', allowed = { 'fill', 'beside', 'commands' } },
  code_lens = { default = false },
  conform = { default = false },
  palette_limit = { default = 30 },
  picker = { default = '', allowed = { '', 'telescope', 'fzf-lua', 'snacks', 'mini.pick', 'select' } },
}
