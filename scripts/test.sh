#!/bin/bash
# npm test: everything, under a private keyring and a virtual display. Ends with the line `N passed, N failed`.
set -u
. "$(dirname "$0")/setup.sh"
install_modules || exit 1
want_chromium
want_display
want dbus-daemon command -v dbus-daemon
want dbus-bin command -v dbus-send
want gnome-keyring command -v gnome-keyring-daemon
want libsecret-1-0 has_libsecret
install_wanted || exit 1
exec scripts/with-keyring.sh scripts/with-display.sh node scripts/test-all.js </dev/null
