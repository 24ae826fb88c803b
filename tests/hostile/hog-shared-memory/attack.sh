exec dd if=/dev/zero of=/dev/shm/big bs=1M count=1000
