import threading

while True:
    threading.Thread(target=threading.Event().wait, daemon=True).start()
