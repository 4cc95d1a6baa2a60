# What differs in an upper layer from the machine's own root below it, a path a line: "new",
# "changed" or "removed". A folder that is in both, or a file that holds the same, differs in nothing.
# shellcheck shell=sh
cd "$1" || exit 1
find . -mindepth 1 -printf '%y %P\n' | while IFS=' ' read -r type path; do
  if [ "$type" = c ] && [ "$(stat -c %t:%T "$path")" = 0:0 ]; then
    echo "removed $path"
  elif [ ! -e "/$path" ] && [ ! -L "/$path" ]; then
    echo "new $path"
  elif [ "$type" = d ] && [ -d "/$path" ]; then
    continue
  elif [ "$type" = l ] && [ "$(readlink "$path")" = "$(readlink "/$path")" ]; then
    continue
  elif [ "$type" != f ] || [ -L "/$path" ] || ! cmp -s "$path" "/$path"; then
    echo "changed $path"
  fi
done
