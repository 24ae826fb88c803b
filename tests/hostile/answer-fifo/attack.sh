mkfifo answers.txt
