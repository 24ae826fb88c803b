"""Programs of many kinds, whose counts must be equal in every room."""

import subprocess
from pathlib import Path

SOURCES = {
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
LARGE = {
    "numpy and scipy": """python3 -c '
import numpy, scipy.linalg
m = numpy.arange(2500.0).reshape(50, 50) + numpy.eye(50)
print(scipy.linalg.svdvals(m)[:3].round(6), numpy.sort(m.ravel() % 7).sum())'""",
    "Octave": "octave-cli --no-gui --quiet --eval 'm = magic(40); disp(sum(svd(m))); disp(fft(1:8))'",
    "R": "Rscript -e 'm <- matrix(1:900 %% 7, 30); print(sum(svd(m)$d)); print(summary(lm(dist ~ speed, cars)))'",
    "Node": "node -e 'let s = 0; for (let i = 0; i < 300000; i++) s += i % 7; console.log(s, JSON.stringify([s]))'",
}
PACKAGES = "python3-numpy\npython3-scipy\noctave\nr-base-core\nnodejs\n"
"""Debian packages of `LARGE`."""
PROGRAMS = (*SOURCES, *SCRIPTS, *LARGE)


def write_program(entry: Path, name: str) -> None:
    """Make an entry answer by this program, which this machine compiles if it is one in C or C++."""
    (entry / "setup.sh").write_text("seq 7000000 >large.dat\n")
    (entry / "dependencies.txt").write_text(PACKAGES if name in LARGE else "")
    if name in SOURCES:
        (entry / name).write_text(SOURCES[name])
        compiler = "g++" if name.endswith(".cpp") else "gcc"
        subprocess.run([compiler, "-O1", "-static", "-pthread", "-o", "program", name], cwd=entry, check=True)
    script = {**SCRIPTS, **LARGE}.get(name, "chmod +x program; ./program")
    (entry / "next.sh").write_text(f'{script}\necho "$1,N" >>answers.txt\n')
