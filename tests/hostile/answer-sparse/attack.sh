truncate -s 10G answers.txt || truncate -s 1G answers.txt
