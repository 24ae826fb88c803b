dd if=/dev/zero of=/tmp/big bs=1M count=200 && cat /tmp/big >/dev/null && echo done
