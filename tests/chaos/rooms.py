"""Counts in many rooms, by hand: ``python -m tests.chaos.rooms [PROGRAM ...]``.

Recounts an entry of every program (`evaluate recount`) ``--times N``, or of those that are named; all counts of one
must be equal, or the exit code is 1.  ``--large`` adds numpy, Octave, R and Node, whose packages become a layer.
"""

import argparse
import shutil
import subprocess
import tempfile
from pathlib import Path

from evaluate.config.challenge.cache import load_challenge
from evaluate.home.recount import agreement, recount
from evaluate.host.state import default_state, open_state
from evaluate.stages.job import NullMonitor

_SOURCES = {
    "c.c": r"""
#include <stdio.h>
int main(void)
{
    double sum = 0;
    for (int i = 1; i < 200000; i++)
        sum += 1.0 / i;
    printf("%.9f\n", sum);
}
""",
    "exceptions.cpp": r"""
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
static int half(int i)
{
    if (i % 3 == 0)
        throw std::runtime_error(std::to_string(i));
    return i / 2;
}
int main()
{
    std::map<std::string, int> found;
    for (int i = 0; i < 2000; i++)
        try {
            found[std::to_string(half(i))]++;
        } catch (const std::exception &e) {
            found[e.what()]--;
        }
    std::printf("%zu\n", found.size());
}
""",
    "threads.c": r"""
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long sum;
static void *work(void *n)
{
    for (int i = 0; i < 20000; i++) {
        pthread_mutex_lock(&lock);
        sum += (long)n * i;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}
int main(void)
{
    pthread_t threads[8];
    for (long i = 0; i < 8; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], 0);
    printf("%ld\n", sum);
}
""",
}
_THREADS = """
import threading
lock, found = threading.Lock(), []
def work(n):
    for i in range(1000):
        with lock:
            found.append(n * i)
threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
[one.start() for one in threads], [one.join() for one in threads]
print(sum(found))
"""
SCRIPTS = {
    "Python": """python3 -c '
import json, re
print(len(json.dumps({str(i): re.sub("1", "one", str(i)) for i in range(3000)})))'""",
    "Python threads": f"python3 -c '{_THREADS}'",
    "pipeline": "seq 1 3000 | sort -r | awk '{s += $1} END {print s}' | tr 0-9 a-j",
    "signals": "trap 'n=$((n+1))' USR1; n=0; for i in {1..100}; do kill -USR1 $$; done; echo $n",
    "sleeps": "for i in {1..5}; do sleep 0.3; done; echo rested",
    "reads 50 MB": "md5sum large.dat",
}
_LARGE = {
    "numpy and scipy": """python3 -c '
import numpy, scipy.linalg
m = numpy.arange(2500.0).reshape(50, 50) + numpy.eye(50)
print(scipy.linalg.svdvals(m)[:3].round(6), numpy.sort(m.ravel() % 7).sum())'""",
    "Octave": "octave-cli --no-gui --quiet --eval 'm = magic(40); disp(sum(svd(m))); disp(fft(1:8))'",
    "R": "Rscript -e 'm <- matrix(1:900 %% 7, 30); print(sum(svd(m)$d)); print(summary(lm(dist ~ speed, cars)))'",
    "Node": "node -e 'let s = 0; for (let i = 0; i < 300000; i++) s += i % 7; console.log(s, JSON.stringify([s]))'",
}
_PACKAGES = "python3-numpy\npython3-scipy\noctave\nr-base-core\nnodejs\n"
"""Debian packages of `_LARGE`."""
CHALLENGE = load_challenge("cinc2017")


def compiled(folder: Path) -> dict[str, str]:
    """Scripts that run the programs in C and C++, which this machine compiles into a folder if it has a compiler."""
    scripts = {}
    for name, source in _SOURCES.items():
        compiler = shutil.which("g++" if name.endswith(".cpp") else "gcc")
        if compiler is not None:
            (folder / name).write_text(source)
            program = name.partition(".")[0]
            subprocess.run([compiler, "-O1", "-static", "-pthread", "-o", program, name], cwd=folder, check=True)
            scripts[program] = f"chmod +x {program}; ./{program}"
    return scripts


def counts_are_equal(name: str, entry: Path, state: Path, times: int) -> bool:
    """Run the first record of the quiz so many times, and print how many counts agree."""
    rooms = recount(entry, CHALLENGE, CHALLENGE.quiz.records[0], state, NullMonitor(), times=times)
    verdicts = ", ".join(sorted({run.verdict for _, run in rooms.answered}))
    print(f"{name}: {agreement(rooms.counts)}, {verdicts}", flush=True)
    return len(set(rooms.counts)) == 1


def main() -> int:
    """Exit code 1 if counts differed."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("only", nargs="*", metavar="PROGRAM")
    options.add_argument("--state", type=Path, default=default_state())
    options.add_argument("--times", type=int, default=100)
    options.add_argument("--large", action="store_true")
    asked = options.parse_args()
    state, differed = open_state(asked.state), 0
    with tempfile.TemporaryDirectory() as made:
        entry = Path(made, "entry")
        shutil.copytree(CHALLENGE.folder / "sample_entry", entry)
        scripts = compiled(entry) | SCRIPTS | (_LARGE if asked.large else {})
        (entry / "setup.sh").write_text("seq 7000000 >large.dat\n")
        (entry / "dependencies.txt").write_text(_PACKAGES if asked.large else "")
        for name in asked.only or scripts:
            (entry / "next.sh").write_text(f'{scripts[name]}\necho "$1,N" >>answers.txt\n')
            differed += not counts_are_equal(name, entry, state, asked.times)
    return int(differed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
