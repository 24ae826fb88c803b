(setsid sleep 1000 &)
rm -f big
mkdir -p x/y && chmod 000 x && chmod 000 ~
