# numbers of the whole machine that grow with what other records did
for path in (
    "/proc/stat",
    "/proc/loadavg",
    "/proc/vmstat",
    "/proc/diskstats",
    "/proc/meminfo",
    "/proc/buddyinfo",
    "/proc/uptime",
):
    try:
        with open(path) as file:
            if file.read(1):
                print("GOT", path)
    except OSError:
        print("refused", path)
print("done")
