import re

text = "".join(open(path).read() for path in ("/proc/self/mountinfo", "/proc/self/cgroup", "/proc/self/environ"))
numbers = set(re.findall(r"run-?(\d+)", text))
if numbers:
    print("GOT the number", *numbers)
print("done")
