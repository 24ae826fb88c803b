cp /bin/bash /tmp/b && chmod 4755 /tmp/b && [ "$(/tmp/b -p -c 'echo $EUID')" = 0 ] && echo "GOT root by set-user-id"
for f in $(find / -xdev -perm -4000 -type f 2>/dev/null); do echo "seen $f"; done
su -c 'echo GOT root by su' </dev/null
grep -E '^Cap(Prm|Eff|Bnd|Amb)' /proc/self/status | grep -v 0000000000000000 | sed 's/^/GOT /'
grep -q '^NoNewPrivs:.*1' /proc/self/status || echo "GOT new privileges"
echo done
