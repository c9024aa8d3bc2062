#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Usage: check_monitoring.sh BIN, with the programs in BIN.
#
# Lets Prometheus' own promtool judge what `submix metrics` says of simulated nodes, and the alert rules. Without
# promtool it is taken out of its Debian package, which is not installed: that would start a server.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "$1" && pwd)
work=$(mktemp -d)
programs=()

clean_up() {
  if [ ${#programs[@]} -gt 0 ]; then
    kill "${programs[@]}" 2>/dev/null || true
    wait "${programs[@]}" 2>/dev/null || true
  fi
  rm -rf "$work"
}
trap clean_up EXIT

promtool=$(command -v promtool || true)
if [ -z "$promtool" ]; then
  mkdir "$work/package"
  chmod 755 "$work" # apt's own user writes there
  (cd "$work" && apt-get download -q prometheus >"$work/apt.log" 2>&1) || { cat "$work/apt.log"; exit 1; }
  dpkg-deb -x "$work"/prometheus_*.deb "$work/package"
  promtool=$work/package/usr/bin/promtool
fi

# Prints the first text of this form that a program's log has within ten seconds.
told() { # LOG PATTERN
  for _ in $(seq 100); do
    grep -om 1 "$2" "$1" && return
    sleep 0.1
  done
  echo "check_monitoring.sh: $1 never told $2" >&2
  cat "$1" >&2
  return 1
}

"$bin/submix" nats --port 0 --folder "$work/nats" >"$work/nats.log" 2>&1 &
programs+=($!)
url=$(told "$work/nats.log" 'nats://127.0.0.1:[0-9]*')
"$bin/submix" --nats "$url" simulate --nodes 6 --streams 9 --calm >"$work/simulate.log" 2>&1 &
programs+=($!)
"$bin/submix" --nats "$url" metrics --listen 0 >"$work/metrics.log" 2>&1 &
programs+=($!)
port=$(told "$work/metrics.log" 'http://127.0.0.1:[0-9]*' | grep -o '[0-9]*$')

metrics() {
  exec 3<>"/dev/tcp/127.0.0.1/$port"
  printf 'GET /metrics HTTP/1.0\r\n\r\n' >&3
  sed '1,/^\r$/d' <&3
  exec 3>&-
}
for _ in $(seq 100); do # until the simulated nodes stream
  metrics >"$work/metrics.txt"
  grep -q '^submix_link_bytes_total' "$work/metrics.txt" && break
  sleep 0.1
done
grep -q '^submix_link_bytes_total' "$work/metrics.txt" || { echo "no node streams"; cat "$work/metrics.txt"; exit 1; }

"$promtool" check metrics <"$work/metrics.txt"
cd "$here/../../configs/monitoring"
"$promtool" check rules alerts.yml
"$promtool" test rules alerts_test.yml
# Each metric that a rule or the dashboard asks for is there.
grep -oh 'submix_[a-z_]*[a-z]' alerts.yml dashboard.json | sort -u | while read -r name; do
  grep -q "^$name[{ ]" "$work/metrics.txt" || { echo "nobody offers $name"; exit 1; }
done
