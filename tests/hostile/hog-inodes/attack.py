import os

os.mkdir("/tmp/many")
os.chdir("/tmp/many")
for number in range(10**7):
    os.close(os.open(str(number), os.O_CREAT))
