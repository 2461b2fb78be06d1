# packed_projects: a solution of the projects that become packages. Tests, samples and benchmarks take most of the time of a whole
# build, and none of them is packed. A folder for each project, since names that differ in case alone may not share one.
packed_projects() {
  local project i=0
  echo '<Solution>'
  for project in src/*/*.csproj adapters/*/*.csproj templates/*.csproj apps/postrider/postrider.csproj; do
    if grep -q '<IsPackable>false<' "$project"; then continue; fi
    i=$((i + 1))
    echo "<Folder Name=\"/$i/\"><Project Path=\"$POSTRIDER_ROOT/$project\" /></Folder>"
  done
  echo '</Solution>'
}
