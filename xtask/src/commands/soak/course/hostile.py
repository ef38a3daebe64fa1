"""Plays legal moves, and before each of them does what a bot must not do: the attack named below."""

import ctypes
import glob
import os
import random
import signal
import socket
import sys
import time

ATTACK = "{attack}"
HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = []


def journal():
    for path in glob.glob(HERE + "/../../../../../ladder/*") + glob.glob("{class}/ladder/*"):
        open(path, "w").close()


def settings():
    open("{class}/class.toml", "w").close()


def others():
    for path in glob.glob(HERE + "/../../../*/*/bot/*"):
        os.truncate(path, 0)


def itself():
    open(os.path.join(HERE, "bot.py"), "a").write("\n# changed\n")


def signals():
    for number in [os.getppid(), *range(2, 2000)]:
        if number != os.getpid():
            try:
                os.kill(number, signal.SIGKILL)
            except OSError:
                pass


def trace():
    library = ctypes.CDLL(None, use_errno=True)
    for number in [os.getppid(), *range(1, 400)]:
        library.ptrace(16, number, 0, 0)


def network():
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            socket.socket(family).connect(("127.0.0.1", 22))
        except OSError:
            pass


def miner():
    if not KEPT and os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            sys.stdout.close()
            while True:
                time.sleep(0.01)
        os._exit(0)
    KEPT.append(1)


def disk():
    for number in range(200):
        with open(f"/tmp/fill-{number}", "wb") as file:
            file.write(b"x" * (1 << 20))


def forks():
    while True:
        if os.fork() == 0:
            time.sleep(5)
            os._exit(0)


def memory():
    while True:
        KEPT.append(bytearray(b"x") * (1 << 26))


def flood():
    sys.stdout.write("info string " + "x" * (1 << 22) + "\n")
    sys.stdout.flush()


def late():
    time.sleep(3600)


def stopped():
    os.kill(os.getpid(), signal.SIGSTOP)


def opponent():
    for path in glob.glob(HERE + "/../../../*/*/bot/*"):
        if not path.startswith(HERE):
            sys.stderr.write("READ " + open(path).read())


def page():
    print("<script>document.title='broken'</script>", file=sys.stderr)
    if random.random() < 0.02:
        raise RuntimeError("</pre><script>alert(1)</script>")


def main():
    legal = []
    for line in sys.stdin:
        command, *words = line.split() or [""]
        if command == "ugi":
            print("id name <b>hostile</b>")
            print("option name UGI_LegalMoves type check default false")
            print("ugiok", flush=True)
        elif command == "isready":
            print("readyok", flush=True)
        elif command == "legal":
            legal = words
        elif command == "go":
            try:
                globals()[ATTACK]()
            except OSError:
                pass
            print("bestmove", random.choice(legal), flush=True)
        elif command == "quit":
            break


main()
