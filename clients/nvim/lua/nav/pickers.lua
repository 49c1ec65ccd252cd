-- One interface over the pickers that people have: a function over
-- { title, items, text = item → string, file = item → path, open = item → () }, items with `start_line`.
local M = {}

local function select(spec)
  vim.ui.select(spec.items, { prompt = spec.title, format_item = spec.text, kind = 'nav' }, function(item)
    if item then
      spec.open(item)
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
        entry_maker = function(item)
          local text = spec.text(item)
          return { value = item, display = text, ordinal = text, filename = spec.file(item), lnum = item.start_line }
        end,
      }),
      sorter = config.generic_sorter({}),
      previewer = config.grep_previewer({}),
    })
    :find()
end

local function fzf(spec)
  local by_text = {}
  for _, item in ipairs(spec.items) do
    by_text[spec.text(item)] = item
  end
  require('fzf-lua').fzf_exec(vim.tbl_map(spec.text, spec.items), {
    prompt = spec.title .. '> ',
    actions = {
      default = function(chosen)
        spec.open(by_text[chosen[1]])
      end,
    },
  })
end

local function snacks(spec)
  local items = vim.tbl_map(function(item)
    return { text = spec.text(item), file = spec.file(item), pos = { item.start_line, 0 }, item = item }
  end, spec.items)
  require('snacks').picker({ title = spec.title, items = items, format = 'text' })
end

local function mini(spec)
  local items = vim.tbl_map(function(item)
    return { text = spec.text(item), path = spec.file(item), lnum = item.start_line, item = item }
  end, spec.items)
  require('mini.pick').start({ source = { name = spec.title, items = items } })
end

local PICKERS = {
  { 'telescope', telescope },
  { 'fzf-lua', fzf },
  { 'snacks', snacks },
  { 'mini.pick', mini },
}

--- The picker of that name, else the first that is installed, else `vim.ui.select`.
function M.find(wanted)
  for _, entry in ipairs(PICKERS) do
    if (wanted == nil or wanted == entry[1]) and pcall(require, entry[1]) then
      return entry[2]
    end
  end
  return select
end

return M
