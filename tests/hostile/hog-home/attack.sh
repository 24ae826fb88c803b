exec dd if=/dev/zero of=big bs=4M oflag=direct
