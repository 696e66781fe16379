#!/bin/bash
# npm start [-- ARG...]: sets up what is missing, builds what has changed, opens the window.
set -u
. "$(dirname "$0")/setup.sh"
install_modules || exit 1

# Electron's binary comes from outside the package registry, at first need: only when that place answers within 5 seconds.
fetch_electron() {
  find_electron >/dev/null && return
  node -e 'fetch("https://github.com/electron/electron/releases", { method: "HEAD", signal: AbortSignal.timeout(5000) })
    .then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))' || return
  echo 'Fetching Electron' >&2
  # Node's own time limit: macOS has no `timeout`.
  node -e 'process.exit(require("node:child_process").spawnSync(process.execPath, ["node_modules/electron/install.js"],
    { timeout: 300_000 }).status ?? 1)' >/dev/null 2>&1
}
shell=${COFFER_SHELL:-electron}
if [ "$shell" = electron ] && ! fetch_electron; then
  echo 'Electron is not here and cannot be downloaded: opening in Chromium instead.' >&2
  shell=chromium
fi
export COFFER_SHELL=$shell

"want_$shell"
want libsecret-1-0 has_libsecret
has_display || want_display
# Without libsecret the window opens, and says that there is no keychain.
can_open() {
  if [ $shell = electron ]; then has_libraries; else has_chromium; fi && { has_display || command -v Xvfb; }
}
install_wanted || can_open >/dev/null || exit 1

# The page is built last, so it tells whether everything was.
built=out/renderer/index.html
if [ ! -f $built ] || [ -n "$(find src electron.vite.config.ts package-lock.json -newer $built -print -quit)" ]; then
  electron-vite build --logLevel warn >&2 || exit 1
fi
exec scripts/open.sh "$@"
