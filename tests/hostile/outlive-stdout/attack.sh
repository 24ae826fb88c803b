(sleep 1000) &
disown
echo done
