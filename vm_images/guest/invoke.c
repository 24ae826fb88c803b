/*
 * invoke: starts a server of the entry, waits until it is healthy, and has it answer one record.
 *
 *     @invoke once|hold SECONDS PROGRAM [ARGUMENT…]
 *
 * The server listens on 127.0.0.1:4743.  `GET /health` is asked until it answers 200, for so many seconds; then
 * `POST /invoke` once, which must be answered with 201.  With `hold` the keeper hears of it before the POST, and the
 * machine may be saved meanwhile: so one load serves many records.  Of an answer nothing but its status counts; it is
 * read to its end and thrown away, however long it is.  What goes wrong is the last line of standard error.
 *
 * It is ours, but runs as the entry's user, so nobody believes more of it than of a program of the entry.  Statically
 * linked, because a container may have no other program that could do this; needs Linux 5.3, x86-64.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { READY = 200, GO = 201 }; /* descriptors that the keeper gives us; see keeper.c */

enum {
    SERVER_PORT = 4743,
    HEALTHY = 200,
    CREATED = 201,
    REDIRECT = 300,
    REDIRECTS_END = 400,
    MOST_HEAD = 64 << 10, /* bytes of a status line and headers */
    CHUNK = 1 << 16,
    HEALTH_SECONDS = 10, /* for one answer */
    FIRST_PAUSE = 100,
    LONGEST_PAUSE = 2000,
    LAST_PAUSE = 1000, /* milliseconds between two questions, and after the last */
    FAILED = 1,
    NO_PROGRAM = 127,
    CANNOT_RUN = 126,
};

enum { NO_ANSWER = 0, TOO_LATE = -1, NOT_HTTP = -2, LONG_HEAD = -3, CUT_OFF = -4 }; /* in the place of a status */

static pid_t server;
static int server_fd;

/* The last line that the team reads. */
static _Noreturn void fail(const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(text, sizeof text - 1, format, arguments);
    va_end(arguments);
    if (n > (int)sizeof text - 2)
        n = sizeof text - 2;
    text[n] = '\n';
    if (write(2, text, n + 1) < 0)
        _exit(FAILED);
    _exit(FAILED);
}

static long milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The first process of a container is the container: with it, everything ends. */
static void fail_if_ended(const char *when)
{
    int status;
    if (waitpid(server, &status, WNOHANG) != server)
        return;
    if (WIFSIGNALED(status))
        fail("the server was ended by signal %d %s", WTERMSIG(status), when);
    if (WEXITSTATUS(status) == NO_PROGRAM || WEXITSTATUS(status) == CANNOT_RUN)
        fail("the server could not be started, or ended with exit code %d %s", WEXITSTATUS(status), when);
    fail("the server ended with exit code %d %s", WEXITSTATUS(status), when);
}

/* Wait until the socket is ready; false at the deadline (0: none). */
static bool wait_for(int fd, short events, long deadline, const char *when)
{
    for (;;) {
        struct pollfd set[] = {{.fd = fd, .events = events}, {.fd = server_fd, .events = POLLIN}};
        long left = deadline ? deadline - milliseconds() : -1;
        if (deadline && left <= 0)
            return false;
        int n = poll(set, 2, (int)left);
        if (n < 0 && errno != EINTR)
            fail("poll: %s", strerror(errno));
        if (n > 0 && set[0].revents)
            return true;
        if (n > 0 && set[1].revents)
            fail_if_ended(when);
    }
}

static bool send_all(int fd, const char *text, long deadline, const char *when)
{
    for (size_t left = strlen(text); left > 0;) {
        ssize_t n = send(fd, text, left, MSG_NOSIGNAL);
        if (n < 0 && errno == EAGAIN) {
            if (!wait_for(fd, POLLOUT, deadline, when))
                return false;
        } else if (n < 0 && errno != EINTR) {
            return false;
        }
        text += n > 0 ? n : 0;
        left -= n > 0 ? n : 0;
    }
    return true;
}

/* After the head, how many bytes of the body there are; a negative number: until the end of the connection. */
static long body_bytes(const char *head)
{
    const char *found = strcasestr(head, "\ncontent-length:");
    if (!found)
        return -1;
    for (found += strlen("\ncontent-length:"); *found == ' ' || *found == '\t'; found++)
        ;
    return isdigit((unsigned char)*found) ? strtol(found, NULL, 10) : -1;
}

/* The next bytes of an answer; 0 at its end or at the deadline, which `late` tells apart. */
static size_t received(int fd, char *target, size_t room, long deadline, const char *when, bool *late)
{
    for (;;) {
        *late = !wait_for(fd, POLLIN, deadline, when);
        if (*late)
            return 0;
        ssize_t n = recv(fd, target, room, 0);
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            continue;
        return n > 0 ? (size_t)n : 0;
    }
}

/* The status of an answer, which is read to its end. */
static int answer(int fd, long deadline, const char *when)
{
    static char head[MOST_HEAD + 1], chunk[CHUNK];
    size_t n_head = 0, n;
    int status = 0;
    bool late;
    char *end;
    head[0] = 0;
    do { /* what has a status below 200, such as 100, is followed by the answer */
        while (!(end = strstr(head, "\r\n\r\n"))) {
            if (n_head == MOST_HEAD)
                return LONG_HEAD;
            if ((n = received(fd, head + n_head, MOST_HEAD - n_head, deadline, when, &late)) == 0)
                return late ? TOO_LATE : n_head ? NOT_HTTP : NO_ANSWER;
            n_head += n;
            head[n_head] = 0;
            if (n_head >= 5 && strncmp(head, "HTTP/", 5) != 0)
                return NOT_HTTP;
        }
        if (sscanf(head, "HTTP/%*1[0-9].%*1[0-9] %3d", &status) != 1 || status < 100)
            return NOT_HTTP;
        end[2] = 0;
        end += 4;
        n_head -= (size_t)(end - head);
        if (status < HEALTHY)
            memmove(head, end, n_head + 1);
    } while (status < HEALTHY);
    long left = body_bytes(head);
    for (n = n_head; left < 0 || (long)n < left;) {
        left -= left < 0 ? 0 : (long)n;
        if ((n = received(fd, chunk, sizeof chunk, deadline, when, &late)) == 0)
            return late ? TOO_LATE : left < 0 ? status : CUT_OFF;
    }
    return status;
}

/* Ask once; SECONDS 0: however long it takes. */
static int asked(const char *method, const char *path, int seconds, const char *when)
{
    char text[256];
    long deadline = seconds ? milliseconds() + seconds * 1000L : 0;
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons(SERVER_PORT)};
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    snprintf(text, sizeof text,
             "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept: */*\r\n%sConnection: close\r\n\r\n", method, path,
             SERVER_PORT, strcmp(method, "POST") == 0 ? "Content-Length: 0\r\n" : "");
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        fail("socket: %s", strerror(errno));
    int status = NO_ANSWER, problem = 0;
    socklen_t size = sizeof problem;
    if (connect(fd, (struct sockaddr *)&place, sizeof place) < 0 && errno != EINPROGRESS)
        problem = errno;
    else if (!wait_for(fd, POLLOUT, deadline, when))
        status = TOO_LATE;
    else
        getsockopt(fd, SOL_SOCKET, SO_ERROR, &problem, &size);
    if (!problem && status == NO_ANSWER && send_all(fd, text, deadline, when))
        status = answer(fd, deadline, when);
    close(fd);
    return status;
}

static const char *described(int status)
{
    static char text[64];
    switch (status) {
    case NO_ANSWER: return "not answered at all";
    case TOO_LATE: return "not answered in time";
    case NOT_HTTP: return "answered by something that is not HTTP";
    case LONG_HEAD: return "answered with more than 64 KiB of headers";
    case CUT_OFF: return "answered by less than it announced";
    }
    snprintf(text, sizeof text, "answered with %d", status);
    return text;
}

/*
 * Whether a process waits for a disk.  A clock that follows the instructions leaps meanwhile, so that a slow disk of the
 * host would be the server's failure; a server that feigns it meets the limit that the host's clock has.
 */
static bool disk_is_awaited(void)
{
    DIR *proc = opendir("/proc");
    bool awaited = false;
    for (struct dirent *one; proc && !awaited && (one = readdir(proc));) {
        char name[sizeof "/proc//stat" + NAME_MAX], text[512];
        if (!isdigit((unsigned char)one->d_name[0]))
            continue;
        snprintf(name, sizeof name, "/proc/%s/stat", one->d_name);
        int fd = open(name, O_RDONLY | O_CLOEXEC);
        ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
        if (fd >= 0)
            close(fd);
        text[n > 0 ? n : 0] = 0;
        char *state = strrchr(text, ')'); /* after the program's name */
        awaited = state && state[1] == ' ' && state[2] == 'D';
    }
    if (proc)
        closedir(proc);
    return awaited;
}

static void wait_until_healthy(int seconds)
{
    long deadline = milliseconds() + seconds * 1000L, pause = FIRST_PAUSE;
    for (;;) {
        long left = deadline - milliseconds();
        int most = left < HEALTH_SECONDS * 1000L ? (int)(left / 1000) + 1 : HEALTH_SECONDS;
        int status = asked("GET", "/health", most, "before it was healthy");
        if (status == HEALTHY)
            return;
        fail_if_ended("before it was healthy");
        if (status >= REDIRECT && status < REDIRECTS_END)
            fail("GET /health was answered with %d: expected 200, not a redirect", status);
        if (milliseconds() + pause >= deadline)
            fail("GET /health on port %d: expected 200 within %d s; the last time it was %s", SERVER_PORT, seconds,
                 described(status));
        struct pollfd ended = {.fd = server_fd, .events = POLLIN};
        long before = milliseconds();
        poll(&ended, 1, (int)pause);
        if (disk_is_awaited())
            deadline += milliseconds() - before;
        pause = pause * 3 / 2 < LONGEST_PAUSE ? pause * 3 / 2 : LONGEST_PAUSE;
    }
}

/* As in keeper.c: what a room counts begins here. */
static void mark(void)
{
    void *wanted = (void *)((1UL << 40) + (1UL << 20));
    unsigned char *code = mmap(wanted, 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (code != wanted)
        fail("memory: %s", strerror(errno));
    *code = 0xc3; /* ret */
    if (mprotect(code, 1, PROT_READ | PROT_EXEC) < 0)
        fail("memory: %s", strerror(errno));
    ((void (*)(void))wanted)();
}

static void hold(void)
{
    char byte = 'r';
    if (write(READY, &byte, 1) != 1 || read(GO, &byte, 1) != 1)
        fail("the server was not invoked");
    mark();
}

static _Noreturn void serve(char **argv)
{
    close(READY);
    close(GO);
    setpgid(0, 0);
    signal(SIGPIPE, SIG_DFL);
    execvp(argv[0], argv);
    int why = errno;
    dprintf(2, "%s: %s\n", argv[0], strerror(why));
    _exit(why == ENOENT || why == ENOTDIR ? NO_PROGRAM : CANNOT_RUN);
}

static void invoke(void)
{
    int status = asked("POST", "/invoke", 0, "while it was invoked");
    if (status == CREATED)
        return;
    struct pollfd ended = {.fd = server_fd, .events = POLLIN};
    poll(&ended, 1, status > 0 ? 0 : LAST_PAUSE); /* who hangs up may be ending */
    fail_if_ended("while it was invoked");
    fail("POST /invoke was %s; expected 201", described(status));
}

int main(int argc, char **argv)
{
    if (argc < 4)
        fail("expected once or hold, seconds, and a program");
    int seconds = atoi(argv[2]);
    signal(SIGPIPE, SIG_IGN);
    server = fork();
    if (server == 0)
        serve(argv + 3);
    if (server < 0)
        fail("the server cannot be started: %s", strerror(errno));
    server_fd = (int)syscall(SYS_pidfd_open, server, 0);
    if (server_fd < 0)
        fail("the server cannot be watched: %s", strerror(errno));
    wait_until_healthy(seconds);
    if (strcmp(argv[1], "hold") == 0)
        hold();
    invoke();
    return 0;
}
