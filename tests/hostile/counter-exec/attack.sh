exec bash -c 'for ((i = 0; i < 300; i++)); do :; done; exec bash -c "$0" "$0"' 'for ((i = 0; i < 300; i++)); do :; done; exec bash -c "$0" "$0"'
