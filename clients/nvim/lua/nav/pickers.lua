-- One interface over the pickers that people have.  What they get is a spec:
-- { title, root, items = hits of a search, text = hit → string, file = hit → path, open = hit → () }.
local M = {}

local function select(spec)
  vim.ui.select(spec.items, { prompt = spec.title, format_item = spec.text, kind = 'nav' }, function(hit)
    if hit then
      spec.open(hit)
    end
  end)
end

local function telescope(spec)
  local config = require('telescope.config').values
  require('telescope.pickers')
    .new({}, {
      prompt_title = spec.title,
      finder = require('telescope.finders').new_table({
        results = spec.items,
        entry_maker = function(hit)
          local text = spec.text(hit)
          return { value = hit, display = text, ordinal = text, filename = spec.file(hit), lnum = hit.line }
        end,
      }),
      sorter = config.generic_sorter({}),
      previewer = config.grep_previewer({}),
    })
    :find()
end

local function fzf(spec)
  -- In the form in which fzf-lua finds files and lines by itself, so that its preview and all its actions work.
  local lines = vim.tbl_map(function(hit)
    return ('%s:%d: %s'):format(hit.path, hit.line, hit.symbol)
  end, spec.items)
  local fzf_lua = require('fzf-lua')
  fzf_lua.fzf_exec(lines, {
    prompt = spec.title .. '> ',
    cwd = spec.root,
    previewer = 'builtin',
    fzf_opts = { ['--no-sort'] = true },
    actions = fzf_lua.defaults.actions.files,
  })
end

local function snacks(spec)
  local items = vim.tbl_map(function(hit)
    return { text = spec.text(hit), file = spec.file(hit), pos = { hit.line, 0 } }
  end, spec.items)
  require('snacks').picker({ title = spec.title, items = items, format = 'text' })
end

local function mini(spec)
  local items = vim.tbl_map(function(hit)
    return { text = spec.text(hit), path = spec.file(hit), lnum = hit.line }
  end, spec.items)
  require('mini.pick').start({ source = { name = spec.title, items = items } })
end

local PICKERS = {
  { 'telescope', telescope },
  { 'fzf-lua', fzf },
  { 'snacks', snacks },
  { 'mini.pick', mini },
}

local function find()
  local wanted = require('nav.config').get('picker')
  for _, entry in ipairs(PICKERS) do
    if (wanted == '' or wanted == entry[1]) and pcall(require, entry[1]) then
      return unpack(entry)
    end
  end
  return 'vim.ui.select', select
end

--- The name of the picker that will be used: the one in `vim.g.nav_picker`, else the first that is installed.
function M.name()
  return (find())
end

--- Offer hits.
function M.pick(spec)
  local _, offer = find()
  offer(spec)
end

return M
