-- Started before the document (lualatex --lua=...): writes down which files Lua code asks for, one line each:
-- operation, tab, name, tab, mode. LuaTeX's own guards do not bind these functions; the box does, this only bears witness.
local out = io.open(os.getenv("TEXMEND_ATTEMPTS"), "w")
if out then
  local function note(operation, name, mode)
    out:write(operation, "\t", (tostring(name):gsub("[\r\n\t]", "?")), "\t", tostring(mode or ""), "\n")
    out:flush()
  end
  local function watch(library, names)
    for _, name in ipairs(names) do
      local original = library and library[name]
      if original then
        library[name] = function(first, second, ...)
          if type(first) == "string" then note(name, first, type(second) == "string" and second or "") end
          if name == "rename" or name == "link" then note(name, second, "w") end
          return original(first, second, ...)
        end
      end
    end
  end
  watch(io, { "open", "lines", "popen", "output", "input" })
  watch(os, { "remove", "rename", "execute", "exec", "spawn" })
  watch(lfs, { "mkdir", "rmdir", "touch", "link", "chdir", "setmode", "dir" })
  watch(_G, { "loadfile", "dofile" })
  watch(package, { "loadlib" })
  for _, kind in ipairs({ "tcp", "udp", "connect" }) do
    local original = socket and socket[kind]
    if original then
      socket[kind] = function(...)
        note("socket", kind, "")
        return original(...)
      end
    end
  end
end
