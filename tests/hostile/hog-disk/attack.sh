exec dd if=/dev/zero of=/tmp/big bs=1M
