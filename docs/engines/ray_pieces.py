"""Runs a command on Ray for each piece whose path stands on standard input.

    gamesearch collect work --out runs/whole --list | python ray_pieces.py gamesearch work --jobs 1

Each piece is a task with one processor. Ray starts a task again elsewhere when its node or its process is lost; a command that fails is tried
three times. Nodes may join and leave while it runs. Killed, the driver is simply started again with what is missing then.
"""

import subprocess
import sys

import ray

TRIES = 3
IN_FLIGHT = 10_000


@ray.remote(num_cpus=1, max_retries=TRIES, retry_exceptions=True)
def work(command: list[str], piece: str) -> str:
    done = subprocess.run([*command, piece], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{piece}: exit code {done.returncode}: {done.stdout[-2000:]}")
    return done.stdout


def main() -> int:
    command = sys.argv[1:]
    if not command:
        print(__doc__, file=sys.stderr)
        return 2
    ray.init(address="auto", log_to_driver=False)
    pieces = iter([line.strip() for line in sys.stdin if line.strip()])
    under_way, failed = {}, 0
    while True:
        for piece in pieces:
            under_way[work.remote(command, piece)] = piece
            if len(under_way) >= IN_FLIGHT:
                break
        if not under_way:
            return 1 if failed else 0
        done, _ = ray.wait(list(under_way), num_returns=1)
        for task in done:
            piece = under_way.pop(task)
            try:
                print(ray.get(task), end="", flush=True)
            except Exception as error:  # whatever it was, the others go on
                failed += 1
                print(f"{piece} was given up after {TRIES + 1} tries: {error}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
