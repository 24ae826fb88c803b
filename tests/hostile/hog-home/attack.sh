exec dd if=/dev/zero of=big bs=64k
