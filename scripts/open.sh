#!/bin/bash
# open.sh [.] [ARG...]: opens what was built, in Electron when its binary is there, else in Chromium through the stand-in.
# COFFER_SHELL=electron or =chromium chooses. electron-vite calls it as if it were Electron, hence the dot.
set -u
. "$(dirname "$0")/setup.sh"
[ "${1:-}" = . ] && shift

command=() # expanded with +: bash 3.2, that of macOS, takes an empty list for an unset one
if ! has_display; then
  echo 'There is no display here: the window opens on a virtual one (Xvfb).' >&2
  command=(scripts/with-display.sh)
fi
if [ "${COFFER_SHELL:-electron}" = electron ] && binary=$(find_electron); then
  [ "$(id -u)" = 0 ] && set -- --no-sandbox "$@"
  exec ${command[@]+"${command[@]}"} "$binary" . "$@"
fi
exec ${command[@]+"${command[@]}"} node --disable-warning=ExperimentalWarning --import ./chromium-shell/register.ts out/main/index.js "$@"
