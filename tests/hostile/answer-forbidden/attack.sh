echo first,N >answers.txt; chmod 000 answers.txt ~
