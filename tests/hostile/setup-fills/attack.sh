dd if=/dev/zero of=/tmp/big bs=1M
exec dd if=/dev/zero of=big bs=4M
