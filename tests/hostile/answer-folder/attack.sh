mkdir answers.txt
