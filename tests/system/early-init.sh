#!/bin/busybox sh
b=/bin/busybox
$b mount -t devtmpfs devices /dev
for module in /modules/*.ko*; do $b insmod "$module"; done
tries=0
while [ ! -b /dev/vda ] && [ $tries -lt 500 ]; do tries=$((tries + 1)); $b usleep 20000; done
$b mount -t ext4 -o rw,noatime /dev/vda /new
$b mount --move /dev /new/dev
exec $b switch_root /new /sbin/init
