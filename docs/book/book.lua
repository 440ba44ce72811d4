-- Makes one page of the pages of docs/. A filter for pandoc, whose input is docs/README.md: the links in its tables and
-- lists are the pages of the book, in the order of the book. (make.cmake runs it, and template.html is the frame.)

local markdown = 'commonmark+pipe_tables+strikeout+gfm_auto_identifiers+smart'
local docs = pandoc.path.directory(PANDOC_STATE.input_files[1])
local plain_options = pandoc.WriterOptions {  -- those of the book, without its frame
  html_math_method = PANDOC_WRITER_OPTIONS.html_math_method,
  highlight_style = PANDOC_WRITER_OPTIONS.highlight_style,
  wrap_text = 'none',
}
local pages = {}    -- in order: {path, id, group, title}
local page_of = {}  -- path -> page

local function read_file(path)
  local file = assert(io.open(path, 'rb'))
  local text = file:read('a')
  file:close()
  return text
end

local function escape(text)
  return (text:gsub('[&<>"]', {['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;', ['"'] = '&quot;'}))
end

-- The path of a link, from the folder in which pandoc runs: 'docs', '../src/a.h' -> 'src/a.h', and '/src/a.h' as well.
local function resolve(folder, link)
  if link:find('^/') then return link:sub(2) end
  local path, count = folder .. '/' .. link
  repeat path, count = path:gsub('[^/]+/%.%./', '', 1) until count == 0
  return path
end

-- 'docs/lab/speed.md' -> 'lab/speed', 'docs/page-model/README.md' -> 'page-model', 'docs/README.md' -> 'book'.
local function id_of(path)
  local id = path:sub(1, #docs + 1) == docs .. '/' and path:sub(#docs + 2) or path
  return id == 'README.md' and 'book' or (id:gsub('/README%.md$', ''):gsub('%.md$', ''))
end

local function add_page(path, group)
  if page_of[path] or not path:find('%.md$') then return end
  page_of[path] = {path = path, id = id_of(path), group = group, folder = pandoc.path.directory(path)}
  table.insert(pages, page_of[path])
end

local function find_pages(contents)
  add_page(docs .. '/README.md')
  local group
  for _, block in ipairs(contents) do
    if block.t == 'Header' then group = pandoc.utils.stringify(block) end
    if block.t == 'Table' or block.t == 'BulletList' then
      block:walk {Link = function(link)
        local path = resolve(docs, link.target)
        if path:sub(1, #docs + 1) == docs .. '/' then add_page(path, group) end
      end}
    end
  end
end

-- A link to a page of the book becomes one to its place. If the metadata `sources` says where the project's files are
-- on its host, one to another file leads there, and one to docs/pages to the copy that is published beside the book
-- (.github/workflows/pages.yml). Else only the text of these is left.
local function link_in(page, sources)
  return function(link)
    if link.target:find('^https?:') then return link end
    local path, anchor = link.target:match('^([^#]*)#?(.*)$')
    path = path == '' and page.path or resolve(page.folder, path)
    if page_of[path] then
      link.target = '#' .. page_of[path].id .. (anchor ~= '' and '/' .. anchor or '')
    elseif sources then
      local published = path:match('^docs/(pages/.*%.html)$')
      link.target = (published or sources .. path) .. (anchor ~= '' and '#' .. anchor or '')
    else
      return link.content
    end
    return link
  end
end

-- A picture stands in the page, as an image of its own: its style touches no other, and it follows the reader's
-- colors.
local function image_in(page)
  return function(image)
    local svg = read_file(resolve(page.folder, image.src)):gsub('%s*\n', ' ')
    local width, height = svg:match('width="(%d+)" height="(%d+)"')
    local data = svg:gsub('[%%#"<>&]', function(c) return ('%%%02X'):format(c:byte()) end)
    local element = '<img loading="lazy" alt="%s" width="%s" height="%s" src="data:image/svg+xml,%s">'
    return pandoc.RawInline('html', element:format(escape(pandoc.utils.stringify(image)), width, height, data))
  end
end

-- $`x`$ is three elements to pandoc: text that ends with a dollar, code, and text that begins with one.
local function with_math(inlines)
  for i = #inlines - 1, 2, -1 do
    local before, code, after = inlines[i - 1], inlines[i], inlines[i + 1]
    local is_math = code.t == 'Code' and before.t == 'Str' and before.text:find('%$$')
      and after.t == 'Str' and after.text:find('^%$')
    if is_math then
      before.text, after.text = before.text:sub(1, -2), after.text:sub(2)
      inlines[i] = pandoc.Math('InlineMath', code.text)
    end
  end
  return inlines
end

-- Of HTML, the pages have folded parts, and comments, of which one that names the source of the code below it is shown.
-- All else is text.
local function html(text, otherwise)
  local source = text:match('^%s*<!%-%- code: (%S+)[^\n]*%-%->%s*$')
  if source then
    return pandoc.Div({pandoc.Para {pandoc.Link({pandoc.Str(source)}, '/' .. source)}}, {class = 'quoted'})
  end
  if text:find('^%s*<!%-%-[^\n]*%-%->%s*$') then return {} end
  local rest = text:gsub('</?details>', ''):gsub('</?summary>', '')
  return not rest:find('<') and pandoc.RawBlock('html', text) or otherwise(text)
end

local function table_in(element)
  for _, spec in ipairs(element.colspecs) do spec[2] = nil end
  local empty = true
  for _, row in ipairs(element.head.rows) do
    for _, cell in ipairs(row.cells) do empty = empty and pandoc.utils.stringify(cell.contents) == '' end
  end
  if empty then element.head = pandoc.TableHead() end
  return pandoc.Div({element}, {class = 'scroll'})
end

-- What pandoc writes, made smaller and plainer: a formula's source is its name, its words are
-- upright also in browsers that know no `mstyle` but Core's, lines of code are no targets of links, and
-- a wide character of East Asia takes two columns.
local function tidied(text)
  text = text:gsub('<math display="(%a+)" xmlns="[^"]*"><semantics>(.-)<annotation[^>]*>(.-)</annotation></semantics>',
    function(display, formula, source)
      return ('<math display="%s" alttext="%s">%s'):format(display, source:gsub('"', '&quot;'), formula)
    end)
  text = text:gsub('<mstyle mathvariant="[^"]*">(.-)</mstyle>', function(letters)
    return '<mi mathvariant="normal">' .. letters:gsub('</?mi>', '') .. '</mi>'
  end)
  text = text:gsub('<a href="#cb[%d-]+"[^>]*></a>', ''):gsub(' id="cb[%d-]+"', '')
  text = text:gsub('<span class="op">(.-)</span>', '%1')
  return (text:gsub('<pre.-</pre>', function(code)
    return (code:gsub('[\xE3-\xE9][\x80-\xBF][\x80-\xBF]', '<i>%0</i>'))
  end))
end

local function link_to(page, rel)
  return ('<a href="#%s"%s>%s</a>'):format(page.id, rel and ' rel="' .. rel .. '"' or '', escape(page.title))
end

-- Reads a page, and returns its sections: {id, title} of each heading of the second level.
local function read_page(page, sources)
  local sections = {}
  local blocks = pandoc.read(read_file(page.path), markdown).blocks
  blocks = blocks:filter(function(block)  -- the book has its own contents
    local text = block.t == 'Para' and pandoc.utils.stringify(block) or ''
    return not (text:find('^Contents, before: ') or text == 'Contents')
  end)
  local body = pandoc.Div(blocks):walk {
    Inlines = with_math,
    RawInline = function(raw) return html(raw.text, pandoc.Str) end,
    RawBlock = function(raw) return html(raw.text, pandoc.Plain) end,
  }
  page.body = body:walk {
    CodeBlock = function(code)
      if code.classes[1] == 'math' then return pandoc.Para {pandoc.Math('DisplayMath', code.text)} end
    end,
    Image = image_in(page),
    Link = link_in(page, sources),
    Table = table_in,
    Header = function(header)
      if header.level == 1 then
        page.title = pandoc.utils.stringify(header)
        header.identifier = ''
        return header
      end
      header.identifier = page.id .. '/' .. header.identifier
      if header.level == 2 then
        table.insert(sections, {id = header.identifier, title = pandoc.utils.stringify(header)})
      end
      local permalink = '<a class="permalink" href="#%s" aria-label="Link to this section"></a>'
      header.content:insert(pandoc.RawInline('html', permalink:format(header.identifier)))
      return header
    end,
  }
  page.sections = sections
end

local function article(page, previous, following)
  local parts = {}
  local function add(...) table.insert(parts, string.format(...)) end
  local body = tidied(pandoc.write(pandoc.Pandoc(page.body.content), 'html5', plain_options))
  local title, rest = body:match('^%s*(<h1.-</h1>)(.*)$')
  add('<article id="%s" aria-label="%s">\n%s', page.id, escape(page.title), title)
  if #page.sections > 2 then
    add('<details class="sections"><summary>In this chapter</summary><ol>')
    for _, section in ipairs(page.sections) do add('<li>%s</li>', link_to(section)) end
    add('</ol></details>')
  end
  add('%s', rest)
  add('<nav class="turn" aria-label="Previous and next page">')
  if previous then add('<span>Previous %s</span>', link_to(previous, 'prev')) end
  if following then add('<span>Next %s</span>', link_to(following, 'next')) end
  add('</nav></article>\n')
  return table.concat(parts, '\n')
end

local function contents()
  local parts, group = {}, nil
  for _, page in ipairs(pages) do
    if page.group and page.group ~= group then
      table.insert(parts, ('%s<h2>%s</h2><ul>'):format(group and '</ul>' or '', escape(page.group)))
      group = page.group
    end
    if group then table.insert(parts, '<li>' .. link_to(page) .. '</li>') end
  end
  return table.concat(parts, '\n') .. '</ul>'
end

function Pandoc(doc)
  local here = pandoc.path.directory(PANDOC_SCRIPT_FILE)
  local sources = doc.meta.sources and pandoc.utils.stringify(doc.meta.sources)
  find_pages(doc.blocks)
  for _, page in ipairs(pages) do read_page(page, sources) end
  local articles = {}
  for i, page in ipairs(pages) do table.insert(articles, article(page, pages[i - 1], pages[i + 1])) end
  doc.blocks = {pandoc.RawBlock('html', table.concat(articles, '\n'))}
  local function raw(text) return pandoc.MetaBlocks {pandoc.RawBlock('html', text)} end
  doc.meta.contents = raw(contents())
  doc.meta.style = raw(read_file(here .. '/book.css'))
  doc.meta.script = raw(read_file(here .. '/search.js'))
  return doc
end
