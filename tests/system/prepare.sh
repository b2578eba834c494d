#!/usr/bin/env bash
# Makes what the system tests boot: a Debian root tree with systemd, dbus and udev; with "vm" also a
# kernel, a disk image and the simulated GPIO chip. Needs root and the network of apt.
#
# usage: prepare.sh container|vm
#
# Everything lands in target/system (or $DGTD_SYSTEM_DIR) and is kept: a second run takes a second.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
what=${1:?container or vm}
out=${DGTD_SYSTEM_DIR:-$here/../../target/system}
mkdir -p "$out"
out=$(cd "$out" && pwd)
# The programs were linked against this system's C library, so the guest is of the same release.
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
export DEBIAN_FRONTEND=noninteractive

packages() {
  # Names and versions of packages come from apt's lists, which a new machine does not have.
  apt-cache show mmdebstrap >/dev/null 2>&1 || apt-get update -qq
  local need=(mmdebstrap) kernel
  if [ "$what" = vm ]; then
    kernel=$(kernel_package)
    need+=(qemu-system-x86 busybox-static kmod cpio e2fsprogs gcc make xz-utils
      "linux-headers-${kernel#linux-image-}" "$(source_package)")
  fi
  dpkg -s "${need[@]}" >/dev/null 2>&1 && return
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${need[@]}"
}

# Meta packages name the version, which every security update changes.
kernel_package() { apt-cache depends linux-image-amd64 | awk '/Depends:/ { print $2; exit }'; }
source_package() { apt-cache depends linux-source | awk '/Depends:/ { print $2; exit }'; }

root_tree() {
  [ -e "$out/root.done" ] && return
  rm -rf "$out/root"
  local sources=()
  for file in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list; do
    [ -s "$file" ] && sources+=("$file")
  done
  mmdebstrap --mode=root --variant=minbase --aptopt='Acquire::Languages "none"' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    --include=systemd,systemd-sysv,dbus,udev,kmod,procps,libglib2.0-bin \
    "$suite" "$out/root" "${sources[@]}" >"$out/root.log" 2>&1 || { tail "$out/root.log" >&2; exit 1; }
  local root=$out/root unit
  echo hall >"$root/etc/hostname"
  # An empty one would mean a first boot, and a first boot takes its time.
  echo 0123456789abcdef0123456789abcdef >"$root/etc/machine-id"
  printf '127.0.0.1 localhost hall\n' >"$root/etc/hosts"
  printf '[Journal]\nStorage=volatile\nRateLimitBurst=0\n' >"$root/etc/systemd/journald.conf"
  : >"$root/etc/fstab"
  # What a machine in a hall needs and a test does not.
  for unit in getty@tty1.service serial-getty@ttyS0.service getty.target apt-daily.timer \
    apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service \
    fstrim.timer systemd-pstore.service systemd-random-seed.service systemd-hwdb-update.service \
    ldconfig.service systemd-firstboot.service systemd-networkd.service systemd-rfkill.service \
    systemd-journal-flush.service systemd-update-utmp.service \
    systemd-update-utmp-runlevel.service systemd-remount-fs.service systemd-binfmt.service \
    proc-sys-fs-binfmt_misc.automount systemd-tmpfiles-clean.timer dev-hugepages.mount \
    sys-kernel-tracing.mount; do
    ln -sf /dev/null "$root/etc/systemd/system/$unit"
  done
  install -m755 "$here/agent.sh" "$root/usr/local/sbin/system-test-agent"
  install -m644 "$here/agent.service" "$root/etc/systemd/system/agent.service"
  mkdir -p "$root/etc/systemd/system/multi-user.target.wants"
  ln -sf ../agent.service "$root/etc/systemd/system/multi-user.target.wants/agent.service"
  chroot "$root" useradd --create-home stranger
  chroot "$root" useradd --create-home arbiter
  touch "$root/etc/.updated" "$root/var/.updated" "$out/root.done"
}

kernel() {
  [ -e "$out/kernel.done" ] && return
  local package version
  package=$(kernel_package)
  version=${package#linux-image-}
  rm -rf "$out/kernel" "$out/gpio-sim" "$out/modules"
  mkdir -p "$out/kernel" "$out/gpio-sim" "$out/modules/lib/modules/$version/extra"
  (cd "$out" && rm -f linux-image-*.deb && apt-get download -qq "$package" && dpkg -x linux-image-*.deb kernel)
  gpio_sim "$version"
  local from=$out/kernel/lib/modules/$version to=$out/modules/lib/modules/$version module file
  depmod -b "$out/kernel" "$version"
  for module in virtio_pci virtio_blk virtio_console ext4 configfs ftdi_sio cdc-acm xhci-pci autofs4; do
    modprobe -d "$out/kernel" -S "$version" --show-depends "$module" | awk '/^insmod/ { print $2 }'
  done | sort -u | while read -r file; do
    install -D -m644 "$file" "$to/${file#"$from/"}"
  done
  strip -g -o "$to/extra/gpio-sim.ko" "$out/gpio-sim/gpio-sim.ko"
  cp "$from"/modules.builtin* "$from/modules.order" "$to/"
  depmod -b "$out/modules" "$version"
  early_root "$version"
  touch "$out/kernel.done"
}

# Debian's kernels are built without the simulated GPIO chip; its source is in Debian's source package.
# The one helper it needs that is not offered to modules has an equal that is.
gpio_sim() {
  local tar source
  source=$(source_package)
  tar=/usr/src/$source.tar.xz
  (
    cd "$out/gpio-sim"
    tar -xJf "$tar" --strip-components=1 "$source/drivers/gpio/gpio-sim.c" \
      "$source/drivers/gpio/gpiolib.h" "$source/kernel/irq/irq_sim.c"
    cp drivers/gpio/gpio-sim.c chip.c
    cp drivers/gpio/gpiolib.h .
    sed 's/handle_simple_irq(irq_to_desc(irqnum))/generic_handle_irq(irqnum)/' kernel/irq/irq_sim.c >interrupts.c
    printf 'obj-m := gpio-sim.o\ngpio-sim-y := chip.o interrupts.o\n' >Makefile
    make -s -C "/lib/modules/$1/build" M="$PWD" modules >make.log 2>&1 || true
    test -s gpio-sim.ko || { tail make.log >&2; exit 1; }
  )
}

# The first root: just enough to reach the disk.
early_root() {
  local dir=$out/early number=10 module file
  rm -rf "$dir"
  mkdir -p "$dir"/{bin,dev,new,modules}
  cp /bin/busybox "$dir/bin/"
  for module in virtio_pci virtio_blk ext4; do
    modprobe -d "$out/kernel" -S "$1" --show-depends "$module" | awk '/^insmod/ { print $2 }'
  done | awk '!seen[$0]++' | while read -r file; do
    cp "$file" "$dir/modules/$number-$(basename "$file")"
    number=$((number + 1))
  done
  install -m755 "$here/early-init.sh" "$dir/init"
  (cd "$dir" && find . | cpio -o -H newc --quiet) >"$out/early.img"
}

disk() {
  # The kernel's modules belong to the disk only: a container has no kernel of its own.
  [ "$out/disk.img" -nt "$out/root.done" ] && [ "$out/disk.img" -nt "$out/kernel.done" ] && return
  rm -rf "$out/root/usr/lib/modules"
  cp -a "$out/modules/lib/modules" "$out/root/usr/lib/"
  rm -f "$out/disk.img"
  truncate -s 700M "$out/disk.img"
  mke2fs -q -t ext4 -O ^metadata_csum,^has_journal -E lazy_itable_init=0 -d "$out/root" "$out/disk.img"
  rm -rf "$out/root/usr/lib/modules"
}

packages
root_tree
if [ "$what" = vm ]; then
  kernel
  disk
fi
echo "ready: $out"
