# Sourced by start.sh and test.sh. Everything a bare Debian with Node and npm lacks; never asks for input.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
export PATH="$PWD/node_modules/.bin:$PATH" # npm's `node` is the Node 24 that everything runs on
packages=()

# want PACKAGE TEST...: PACKAGE is missing when TEST fails.
want() {
  local package=$1
  shift
  "$@" >/dev/null 2>&1 || packages+=("$package")
}

has_libsecret() { node -e 'require("keytar")'; }
has_emoji() { fc-list ':lang=und-zsye' | grep -q .; } # und-zsye: what fontconfig calls emoji
has_chromium() { [ -n "${COFFER_CHROMIUM:-}" ] || command -v chromium chromium-browser google-chrome google-chrome-stable; }
has_display() { [ "$(uname)" != Linux ] || [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; }

# Prints the path of Electron's binary, when it has been downloaded.
find_electron() {
  [ -f node_modules/electron/path.txt ] || return 1
  local path
  path="node_modules/electron/dist/$(cat node_modules/electron/path.txt)"
  [ -x "$path" ] && echo "$path"
}
has_libraries() { [ "$(uname)" != Linux ] || ! ldd "$(find_electron)" | grep -q 'not found'; }

want_electron() {
  local package
  # From Debian 13 on some have the 64-bit time in their names.
  for package in libgtk-3-0 libnss3 libasound2 libgbm1; do
    apt-cache show "${package}t64" >/dev/null 2>&1 && package=${package}t64
    want "$package" has_libraries
  done
}
want_display() {
  want xvfb command -v Xvfb
  want xauth command -v xauth
}
want_chromium() {
  want chromium has_chromium
  want fontconfig command -v fc-list
  want fonts-noto-color-emoji has_emoji # text has fonts of its own
}

# Installs what is wanted, or prints the one line that does.
install_wanted() {
  [ "$(uname)" = Linux ] && [ ${#packages[@]} -gt 0 ] || return 0
  local as=()
  [ "$(id -u)" = 0 ] || as=(sudo -n)
  local install=(apt-get install -y --no-install-recommends "${packages[@]}")
  if command -v apt-get >/dev/null && "${as[@]}" true 2>/dev/null; then
    echo "Installing ${packages[*]}" >&2
    local run=("${as[@]}" env DEBIAN_FRONTEND=noninteractive)
    "${run[@]}" "${install[@]}" >/dev/null 2>&1 </dev/null && return
    "${run[@]}" apt-get update >/dev/null </dev/null && "${run[@]}" "${install[@]}" >/dev/null </dev/null && return
  fi
  echo "Please run: sudo ${install[*]}" >&2
  return 1
}

install_modules() {
  [ package-lock.json -nt node_modules/.package-lock.json ] || return 0
  echo 'Installing the npm packages' >&2
  # Not `npm ci`: it insists that the lock file names the binaries of every platform, and not every registry has them all.
  npm install --no-save --include=dev --no-audit --no-fund --loglevel=error </dev/null >&2 && hash -r
}
