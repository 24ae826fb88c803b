import signal
import threading


def compute(*_: object) -> None:
    while True:
        pass


signal.signal(signal.SIGALRM, compute)
threading.Thread(target=compute, daemon=True).start()
signal.setitimer(signal.ITIMER_REAL, 0.01)
signal.pause()
