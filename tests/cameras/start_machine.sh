#!/bin/busybox sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The first process of the virtual machine, from its memory: has this machine's files as its own, which it changes in its
# memory only, and runs the check there. The kernel's parameters give: modules (a folder), check (a file), programs (a folder).
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
exec 2>/dev/ttyS0
set -x
for module in /modules/*; do insmod "$module"; done
mount -t 9p -o trans=virtio,version=9p2000.L,msize=262144,cache=loose,ro root /below
mount -t tmpfs memory /changes
mkdir /changes/files /changes/work
mount -t overlay -o lowerdir=/below,upperdir=/changes/files,workdir=/changes/work root /root
for folder in proc sys dev; do mount --move /$folder /root/$folder; done
mkdir -p /root/dev/shm /root/lib/modules
mount -t tmpfs memory /root/dev/shm
mount -t tmpfs memory /root/run
mount --bind "/root$modules" /root/lib/modules
ifconfig lo 127.0.0.1
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/run PYTHONDONTWRITEBYTECODE=1
exec switch_root /root /bin/sh -c "python3 '$check' '$programs' >/dev/ttyS1 2>&1; busybox poweroff -f"
