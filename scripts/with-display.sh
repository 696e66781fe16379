#!/bin/bash
# with-display.sh CMD [ARG...]: runs CMD on a virtual X display of its own, which ends with it. Exits with CMD's status.
# Debian: apt-get install --no-install-recommends xvfb xauth
set -u
base=$(mktemp -d) || exit 125
server='' cmd=''
trap '[ -n "$cmd" ] && kill "$cmd" 2>/dev/null; [ -n "$server" ] && kill "$server" 2>/dev/null; rm -rf "$base"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP
export XAUTHORITY=$base/auth
touch "$XAUTHORITY"
# pdeathsig: nothing stays behind even if this script is KILLed.
# noreset: a window that opens while the last one closes would otherwise find the server resetting.
setpriv --pdeathsig TERM Xvfb -displayfd 3 -screen 0 1600x1000x24 -nolisten tcp -noreset -auth "$XAUTHORITY" \
  3>"$base/display" >/dev/null 2>"$base/log" </dev/null & server=$!
until [ -s "$base/display" ]; do
  kill -0 "$server" 2>/dev/null || { cat "$base/log" >&2; exit 125; }
  sleep 0.05
done
read -r number <"$base/display"
export DISPLAY=:$number
xauth -q add "$DISPLAY" . "$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"

# In the background, so that signals are passed on at once; stdin and INT restored.
trap 'sig=1; kill -TERM $cmd' TERM
trap 'sig=1; kill -HUP $cmd' HUP
trap 'sig=1; [ -t 0 ] || kill -INT $cmd' INT
setpriv --pdeathsig TERM env --default-signal=INT,QUIT "$@" <&0 & cmd=$!
while sig=''; wait $cmd; rc=$?; [ -n "$sig" ]; do :; done
cmd=''
exit $rc
