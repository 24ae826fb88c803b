import time

for clock in (time.CLOCK_REALTIME, time.CLOCK_MONOTONIC, time.CLOCK_BOOTTIME):
    try:
        time.clock_settime(clock, time.clock_gettime(clock) - 3600)
        print("GOT", clock)
    except OSError:
        pass
print("done")
