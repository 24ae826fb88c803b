import os

open("/tmp/one", "w").close()
for number in range(10000):
    os.link("/tmp/one", f"/tmp/l{number}")
print("done")
