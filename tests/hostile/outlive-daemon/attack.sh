if [ "$1" = leave ]; then
    trap '' TERM HUP INT
    for i in 1 2 3; do (setsid sleep 1000 >/dev/null 2>&1 & echo $! >>/tmp/pids); done
    (exec -a evaluate-daemon setsid sleep 1000 &)
    exit 0
fi
for f in /proc/[0-9]*; do grep -qs evaluate-daemon "$f/cmdline" && echo "GOT a daemon of the record before"; done
[ $(ls -d /proc/[0-9]* | wc -l) -le 8 ] && echo done
