#!/bin/bash
# Inside the virtual machine: runs what the test sends over a virtio-serial port.
# In: "NUMBER SECONDS SCRIPT", out: "NUMBER STATUS OUTPUT", script and output in base64.
exec 3<>/dev/virtio-ports/agent
echo "ready 0 -" >&3
while read -r number seconds script <&3; do
  output=$(base64 -d <<<"$script" | timeout "$seconds" bash 2>&1 3>&- | base64 -w0; exit "${PIPESTATUS[1]}")
  status=$?
  echo "$number $status ${output:--}" >&3
done
