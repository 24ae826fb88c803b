kill -STOP $$
sleep 600
