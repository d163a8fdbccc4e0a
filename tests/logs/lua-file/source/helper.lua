helper = {}
function helper.run()
  local t = nil
  tex.print(t.name)
end
return helper
