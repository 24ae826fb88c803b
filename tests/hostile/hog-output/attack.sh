exec yes
