if [ "$1" = leave ]; then
    trap '' TERM HUP INT
    for i in 1 2 3; do (setsid sleep 1000 >/dev/null 2>&1 & echo $! >>/tmp/pids); done
    exit 0
fi
for f in /proc/[0-9]*; do [ "$(cat "$f/comm" 2>/dev/null)" = sleep ] && echo "GOT a daemon of the record before"; done
[ $(ls -d /proc/[0-9]* | wc -l) -le 8 ] && echo done
