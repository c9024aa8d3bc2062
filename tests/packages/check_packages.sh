#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Usage: [SUITE=trixie] check_packages.sh DIR, as root, with the packages of `./setup.sh package` in DIR.
#
# Tries the packages as a stranger would, in a bare Debian in a temporary folder: installs them by apt, runs the
# demo, boots systemd and runs the services, upgrades and removes them. Prints the time of each step. Ends with 1 when
# a step fails. SUITE: the Debian that the packages were built on, by its name; without it this machine's.
#
# All that runs in that system has its own namespaces of processes, mounts and, but for apt, the network. It ends with
# them, also when this script is killed.
set -euo pipefail
set -m # each step is a group of processes of its own
shopt -s inherit_errexit
here=$(cd "$(dirname "$0")" && pwd)
own_suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
suite=${SUITE:-$own_suite}
packages=$(cd "$1" && pwd)
work=$(mktemp -d /tmp/submix-packages-XXXXXX)
root=$work/root
log=$work/log
cgroup=
system=  # process id of `unshare` with the booted system in it
current= # process group of the step that runs

clean_up() {
  local status=$?
  trap - EXIT
  if [ -n "$current" ]; then kill -KILL -- -"$current" 2>/dev/null || true; fi
  if [ -n "$system" ]; then kill -KILL "$system" 2>/dev/null || true; wait "$system" 2>/dev/null || true; fi
  if [ -n "$cgroup" ]; then
    for _ in $(seq 50); do # the kernel still ends the last processes
      find "$cgroup" -depth -type d -exec rmdir {} + 2>/dev/null && break
      sleep 0.1
    done
  fi
  rm -rf --one-file-system "$work"
  exit "$status"
}
trap clean_up EXIT
trap 'exit 130' INT TERM HUP

complain() {
  echo "check_packages.sh: $*" >&2
  return 1
}

# Not `if "$@"`, which would let the step go on after a failure within.
step() { # TITLE COMMAND…
  local title=$1 begin=$EPOCHREALTIME status=0
  shift
  printf '%s … ' "$title"
  ("$@") >"$log" 2>&1 </dev/null &
  current=$!
  wait "$current" || status=$?
  current=
  awk -v from="$begin" -v to="$EPOCHREALTIME" -v end="$([ $status -eq 0 ] && echo done || echo failed)" \
    'BEGIN { printf "%s (%.1f s)\n", end, to - from }'
  [ $status -eq 0 ] && return
  tail -n 40 "$log"
  if [ -n "$system" ]; then booted journalctl --no-pager -n 30 || true; fi
  exit 1
}

# A command in the bare system. --net: with this machine's network; else it has a loopback of its own.
inside() { # [--net] COMMAND…
  local spaces=(--mount --pid --ipc --uts --fork --kill-child)
  if [ "$1" = --net ]; then shift; else spaces+=(--net); fi
  unshare "${spaces[@]}" bash -euc '
    root=$1
    shift
    mount --make-rprivate /
    mount -t proc proc "$root/proc"
    mount -t sysfs -o ro sysfs "$root/sys"
    mount --rbind /dev "$root/dev"
    ip link set lo up
    # As process 1, systemd-analyze would complain to the journal.
    exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 SYSTEMD_LOG_TARGET=console "$@"' inside "$root" "$@"
}

lint() {
  lintian --allow-root --tag-display-limit 0 --fail-on error,warning "$packages"/*.deb
  desktop-file-validate "$here"/../../configs/packages/controller/submix-controller.desktop
}

make_root() {
  "$here/make_debian.sh" "$root" "$suite"
}

install_packages() {
  mkdir "$root/packages"
  cp "$packages"/*.deb "$root/packages/"
  inside --net sh -ec '
    apt-get update -q
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q /packages/*.deb
    useradd --create-home anna'
}

check_programs() {
  local program
  for program in submix submix-node submix-controller submix-throughput; do
    inside "$program" --version
    inside "$program" --help >/dev/null
    [ -s "$root/usr/share/man/man1/$program.1.gz" ] || complain "$program has no manual page"
  done
  for program in submix-plugin-host submix-decoder submix-network-host submix-waiting; do
    inside "/usr/libexec/submix/$program" --version
    [ ! -e "$root/usr/bin/$program" ] || complain "$program is no command for people"
  done
  inside bash -c '. /usr/share/bash-completion/completions/submix && complete -p submix'
  inside sh -c 'test "$(stat -c %U:%G /usr/bin/submix)" = root:root'
  # The type of show files has reached the desktop's list.
  inside grep -q 'submix.toml' /usr/share/mime/globs2
}

run_demo() {
  inside su anna -c 'cd && submix demo --headless --seconds 8 --out demo'
  "$here/../system/check_demo.sh" "$root/home/anna/demo"
}

check_units() {
  local units=(submix-node.service submix-nats.service)
  # What else the distribution has is not for us to judge.
  inside systemd-analyze verify --man=no "${units[@]/#//usr/lib/systemd/system/}"
  inside env XDG_RUNTIME_DIR=/run systemd-analyze --user verify --man=no "${units[@]/#//usr/lib/systemd/user/}"
  [ ! -s "$log" ] || complain "systemd-analyze has complaints"
}

# systemd as process 1 of its own namespaces, in a group of its own among the machine's control groups.
boot() {
  local groups
  groups=$(findmnt --noheadings --types cgroup2 --output TARGET | head -n 1)
  [ -n "$groups" ] || complain "this machine has no cgroup2, which systemd needs"
  cgroup=$groups/submix-packages-$$
  mkdir "$cgroup"
  echo desk >"$root/etc/hostname"
  # As a desktop's libpam-systemd sets it.
  mkdir -p "$root/etc/systemd/system/user@.service.d"
  printf '[Service]\nEnvironment=XDG_RUNTIME_DIR=/run/user/%%i\n' >"$root/etc/systemd/system/user@.service.d/login.conf"
  bash -euc '
    echo $$ >"$2/cgroup.procs"
    exec unshare --mount --pid --ipc --uts --net --cgroup --fork --kill-child bash -euc "
      mount --make-rprivate /
      mount --bind $1 $1
      cd $1
      mount -t proc proc proc
      mount -t sysfs sysfs sys
      mount -t cgroup2 cgroup2 sys/fs/cgroup
      mount -t tmpfs tmpfs run
      mount -t tmpfs -o mode=755 tmpfs dev
      mkdir dev/shm dev/pts
      mount -t tmpfs -o mode=1777 tmpfs dev/shm
      mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
      ln -s pts/ptmx dev/ptmx
      for device in null zero full random urandom tty; do
        touch dev/\$device
        mount --bind /dev/\$device dev/\$device
      done
      ip link set lo up
      exec env -i container=submix PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot . /lib/systemd/systemd --unit=multi-user.target"
    ' boot "$root" "$cgroup" </dev/null >"$work/boot.log" 2>&1 &
  system=$!
}

# A command in the booted system.
booted() {
  local first
  first=$(pgrep --parent "$system" | head -n 1)
  nsenter --target "$first" --mount --pid --ipc --uts --net --cgroup --root --wdns=/ \
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "$@"
}

eventually() { # SECONDS COMMAND…
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < end)) || complain "not within the time: $*"
    sleep 0.2
  done
}

value_of() { # PROPERTY SERVICE
  booted systemctl show --value --property "$1" "$2"
}
is_value() { # PROPERTY SERVICE VALUE
  [ "$(value_of "$1" "$2")" = "$3" ]
}
expect_value() {
  is_value "$@" || complain "$2: $1 is $(value_of "$1" "$2") and not $3"
}

is_booted() {
  local state
  state=$(booted systemctl is-system-running || true)
  [ "$state" = running ] || [ "$state" = degraded ]
}

check_nothing_runs() {
  eventually 60 is_booted
  local unit
  for unit in submix-node submix-nats; do
    expect_value ActiveState "$unit" inactive
    expect_value UnitFileState "$unit" disabled
  done
}

# Without a key and without a login: anna's own systemd, on the loopback.
start_user_services() {
  local id
  id=$(booted id -u anna)
  booted systemctl stop nats-server
  booted systemctl start "user@$id"
  of_anna() { booted setpriv --reuid anna --regid anna --clear-groups env HOME=/home/anna XDG_RUNTIME_DIR="/run/user/$id" "$@"; }
  of_anna systemctl --user start submix-nats submix-node
  [ "$(of_anna systemctl --user is-active submix-nats submix-node)" = $'active\nactive' ] || complain "not active"
  eventually 10 of_anna sh -c 'submix status | grep -q "^desk *healthy"'
  booted systemctl stop "user@$id"
}

# A clip through the decoder and a plugin in a host of its own: all that the hardened unit must permit.
show() {
  cat <<'TOML'
[show]
name = "service"
size = [320, 240]
rate = 30
[[node]]
name = "desk"
[[submix]]
name = "desk"
node = "desk"
  [[submix.slot]]
  name = "clip"
  plugin = "clip"
  parameters = { file = "clip.mp4", loop = true }
  [[submix.slot]]
  name = "posterize"
  plugin = "frei0r/posterize"
  [[submix.slot]]
  name = "record"
  plugin = "record"
  parameters = { file = "desk.mkv", keep_last_seconds = 10 }
TOML
}

start_services() {
  # A key, as the page about packages says. The watchdog is quicker than usual, so that this check is.
  booted submix key new /root/show.key
  booted install -D -m 600 -o submix -g submix /root/show.key /etc/submix/show.key
  echo 'SUBMIX_KEY=/etc/submix/show.key' | tee -a "$root/etc/default/submix-nats" >>"$root/etc/default/submix-node"
  mkdir -p "$root/etc/systemd/system/submix-node.service.d"
  printf '[Service]\nWatchdogSec=4\n' >"$root/etc/systemd/system/submix-node.service.d/quick.conf"
  booted systemctl daemon-reload
  booted systemctl start submix-nats
  booted systemctl start submix-node
  ! is_value ActiveState nats-server active || complain "the distribution's server still runs"
  expect_value ActiveState submix-nats active
  expect_value ActiveState submix-node active
}

submix() { booted submix --key /root/show.key "$@"; }

runs_at_full_rate() {
  submix status --json >"$work/status.json"
  grep -q '"state":"running"' "$work/status.json"
}

run_show() {
  cp "$root/home/anna/demo/clip.mp4" "$root/var/lib/submix/media/"
  show >"$root/root/show.toml"
  submix apply /root/show.toml
  eventually 30 runs_at_full_rate
  local program
  for program in submix-plugin-h submix-decoder; do # the kernel keeps 15 letters
    booted sh -c "grep -qx $program /proc/[0-9]*/comm" || complain "no $program runs"
  done
}

# The log has its priorities, and no word of what the hardening forbids.
check_journal() {
  booted journalctl -u submix-node >"$work/journal"
  cat "$work/journal"
  booted journalctl -u submix-node -o json >"$work/entries"
  grep 'control plane: connected' "$work/entries" >"$work/connected"
  grep -q '"PRIORITY":"6"' "$work/connected" || complain "the log has no priorities"
  ! grep -q "<[0-9]>" "$work/journal" || complain "priorities are in the text"
  booted journalctl -u submix-node -p warning -o cat >"$work/warnings"
  [ ! -s "$work/warnings" ] || complain "there are warnings: $(cat "$work/warnings")"
}

can_raise_limits() { prlimit --rtprio=20:20 --memlock=unlimited:unlimited true 2>/dev/null; }

check_rights() {
  expect_value LimitRTPRIO submix-node 20
  expect_value LimitMEMLOCK submix-node infinity
  can_raise_limits || return 0
  grep -q "by this process's own right" "$work/journal" || complain "no real-time rights"
  ! grep -q "may be paged out" "$work/journal" || complain "memory is not locked"
}

survive_a_crash() {
  booted systemctl kill --kill-whom=main --signal=KILL submix-node
  eventually 10 is_value NRestarts submix-node 1
  eventually 10 is_value ActiveState submix-node active
  eventually 30 runs_at_full_rate
}

# Stopped, so that it is stuck and does not end.
survive_being_stuck() {
  booted systemctl kill --kill-whom=main --signal=STOP submix-node
  eventually 30 is_value NRestarts submix-node 2
  eventually 10 is_value ActiveState submix-node active
  booted journalctl -u submix-node >"$work/journal"
  grep -qi "watchdog timeout" "$work/journal" || complain "it was not the watchdog"
  eventually 30 runs_at_full_rate
}

measure_exposure() {
  local unit
  for unit in submix-node submix-nats; do
    booted systemd-analyze security --no-pager "$unit" | tail -n 1
  done | tee "$work/exposure"
}

upgrade() {
  local node nats
  node=$(value_of MainPID submix-node)
  nats=$(value_of MainPID submix-nats)
  booted sh -c 'dpkg --install /packages/*.deb'
  expect_value MainPID submix-node "$node"
  expect_value MainPID submix-nats "$nats"
  expect_value UnitFileState submix-node disabled
}

remove() {
  booted sh -c 'DEBIAN_FRONTEND=noninteractive dpkg --purge submix submix-controller submix-node'
  local unit
  for unit in submix-node submix-nats; do
    expect_value ActiveState "$unit" inactive
    expect_value LoadState "$unit" not-found
  done
  [ ! -e "$root/etc/default/submix-node" ] || complain "settings are left"
}

[ "$(id -u)" -eq 0 ] || complain "needs root, for a system of its own" || exit 1
step "Looking for faults with lintian" lint
step "Making a bare Debian: $suite" make_root
step "Installing the packages" install_packages
step "Looking at the programs" check_programs
step "Running the demo for 8 s" run_demo
step "Checking the units" check_units
boot
step "Booting: nothing is enabled" check_nothing_runs
step "Starting a user's services" start_user_services
step "Starting the services" start_services
step "Running a show" run_show
step "Reading the journal" check_journal
step "Looking at real-time rights" check_rights
can_raise_limits || echo "  Only what the unit asks for: on this machine not even root may raise these limits."
step "Killing the node: it comes back" survive_a_crash
step "Stopping the node: the watchdog restarts it" survive_being_stuck
step "Measuring the exposure" measure_exposure
cat "$work/exposure"
step "Upgrading: nothing restarts" upgrade
step "Removing: the services end" remove
echo "The packages are fit for use."
