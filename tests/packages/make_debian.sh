#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Usage: make_debian.sh FOLDER [SUITE], as root.
#
# Makes a bare Debian in FOLDER from the machine's own sources of Debian, without those of others. SUITE: its name;
# without it this machine's.
set -euo pipefail
own_suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
suite=${2:-$own_suite}
sources=$(mktemp --suffix .list)
trap 'rm -f "$sources"' EXIT
apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
  sed "s/ $own_suite\b/ $suite/" >"$sources"
if ! grep -q . "$sources"; then
  echo "make_debian.sh: apt has no source of Debian; run apt-get update" >&2
  exit 1
fi
mmdebstrap --quiet --mode=root --variant=minbase "$suite" "$1" "$sources"
