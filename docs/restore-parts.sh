#!/bin/sh
# Restores a file that Coffer stored in parts, without Coffer: curl, jq and sha256sum are all it needs (docs/parts.md).
#
#   TOKEN=... sh restore-parts.sh BASE_ADDRESS IDENTIFIER FILE
#
# Every part is proven by its digest as it comes, the whole file at the end; then it gets its name. What was fetched stays in
# FILE.parts until then, so that another run goes on where this one ended. Nothing is ever replaced.
set -eu

if [ "$#" -ne 3 ] || [ -z "${TOKEN:-}" ]; then
  echo "usage: TOKEN=... sh restore-parts.sh BASE_ADDRESS IDENTIFIER FILE" >&2
  exit 2
fi
for program in curl jq sha256sum; do
  command -v "$program" >/dev/null || { echo "$program is not installed" >&2; exit 2; }
done
base=${1%/} identifier=$2 file=$3 parts=$3.parts
[ ! -e "$file" ] || { echo "$file is there already" >&2; exit 1; }
umask 077
mkdir -p "$parts"

# The token is given to curl where no list of processes shows it.
get() {
  segment=$(printf '%s' "$1" | jq -sRr @uri)
  printf 'header = "Authorization: Bearer %s"\n' "$TOKEN" |
    curl --config - --fail --silent --show-error --output "$2" \
      --header 'Accept: application/octet-stream' "$base/api/data/$segment"
}
digest() { sha256sum <"$1" | cut -d ' ' -f 1; }
field() { jq -er "$1" "$parts/list"; }

get "$identifier" "$parts/list"
start=$(head -c 28 "$parts/list")
[ "$start" = '{"coffer":"parts","version":' ] || { echo "$identifier does not lie in parts" >&2; exit 1; }
[ "$(field .version)" = 2 ] || { echo "This list is of another version" >&2; exit 1; }
# Its own digest is of the list with that left empty: 64 digits before the last two characters.
length=$(wc -c <"$parts/list")
own=$( (head -c "$((length - 66))" "$parts/list"; printf '"}') | sha256sum | cut -d ' ' -f 1)
[ "$own" = "$(field .self)" ] || { echo "The list of parts is damaged" >&2; exit 1; }

count=$(field '.parts | length')
number=0
while [ "$number" -lt "$count" ]; do
  id=$(field ".parts[$number].id")
  sha256=$(field ".parts[$number].sha256")
  part=$parts/$sha256
  number=$((number + 1))
  if [ ! -f "$part" ] || [ "$(digest "$part")" != "$sha256" ]; then
    get "$id" "$part.new"
    [ "$(digest "$part.new")" = "$sha256" ] || { echo "Part $number of $count is damaged: $id" >&2; exit 1; }
    mv "$part.new" "$part"
  fi
  echo "$number of $count" >&2
done

jq -r '.parts[].sha256' "$parts/list" | while read -r sha256; do cat "$parts/$sha256"; done >"$parts/whole"
[ "$(digest "$parts/whole")" = "$(field .sha256)" ] || { echo "The file is damaged" >&2; exit 1; }
# Fails when somebody took the name meanwhile.
ln "$parts/whole" "$file"
rm -r "$parts"
