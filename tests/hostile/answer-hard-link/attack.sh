ln first.txt answers.txt || ln /etc/passwd answers.txt
