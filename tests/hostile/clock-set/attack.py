import time
from contextlib import suppress

for clock in (time.CLOCK_REALTIME, time.CLOCK_MONOTONIC, time.CLOCK_BOOTTIME):
    with suppress(OSError):
        time.clock_settime(clock, time.clock_gettime(clock) - 3600)
        print("GOT", clock)
print("done")
