#!/usr/bin/env bash
# systemd as process 1 of a root tree, in namespaces of its own; the host's mounts stay as they are.
# The host's pseudo-terminals are seen inside as /lines, so that boards emulated outside can be opened.
#
# usage: container.sh start ROOT PIDFILE   runs until the container ends, writes its first process' id
#        container.sh exec PID COMMAND...
#        container.sh stop PID
set -euo pipefail

start() {
  local root pidfile
  root=$(realpath "$1")
  pidfile=$2
  export root pidfile
  exec unshare --mount --propagation private "$0" inside
}

# In a mount namespace: a cgroup tree of version 2 of its own.
inside() {
  umount -l /sys/fs/cgroup/* 2>/dev/null || true
  umount -l /sys/fs/cgroup 2>/dev/null || true
  mount -t cgroup2 cgroup /sys/fs/cgroup
  local group=/sys/fs/cgroup/hall-$$
  mkdir "$group"
  echo $$ >"$group/cgroup.procs"
  unshare --pid --fork --kill-child --mount --uts --ipc --net --cgroup "$0" first &
  local outer=$! child=
  while [ -z "$child" ]; do
    sleep 0.02
    child=$(pgrep -P "$outer" || true)
  done
  echo "$child" >"$pidfile.new"
  mv "$pidfile.new" "$pidfile"
  wait "$outer" || true
  # Out of the group, or it could not be removed.
  echo $$ >/sys/fs/cgroup/cgroup.procs
  find "$group" -depth -type d -exec rmdir {} \; 2>/dev/null || true
}

# In all namespaces, still on the host's root.
first() {
  local node
  mount --bind "$root" "$root"
  mount -t proc proc "$root/proc"
  mount -t sysfs -o ro sysfs "$root/sys"
  mount -t cgroup2 cgroup "$root/sys/fs/cgroup"
  mount -t tmpfs devices "$root/dev"
  mkdir "$root/dev/pts" "$root/dev/shm"
  mount -t devpts -o newinstance,ptmxmode=666,gid=5,mode=620 devpts "$root/dev/pts"
  ln -s pts/ptmx "$root/dev/ptmx"
  for node in null zero full random urandom tty; do cp -a "/dev/$node" "$root/dev/"; done
  ln -s /proc/self/fd "$root/dev/fd"
  : >"$root/dev/console"
  mkdir -p "$root/lines" "$root/.old"
  mount --bind /dev/pts "$root/lines"
  mount -t tmpfs run "$root/run"
  mount -t tmpfs tmp "$root/tmp"
  hostname hall
  ip link set lo up
  cd "$root"
  pivot_root . .old
  umount -l /.old
  exec env -i container=dgtd PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    /lib/systemd/systemd --log-target=journal >/dev/console 2>&1 </dev/null
}

case ${1:-} in
start) start "$2" "$3" ;;
inside) inside ;;
first) first ;;
exec)
  pid=$2
  shift 2
  exec nsenter -t "$pid" -a env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
  ;;
stop) kill -KILL "$2" ;;
*) sed -n '5,7s/^# //p' "$0" >&2; exit 2 ;;
esac
