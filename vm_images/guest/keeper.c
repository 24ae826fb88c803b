/*
 * keeper: runs the commands of the entry for the guest agent, each from `Started` to `Exited`.
 *
 * Theory of operation.  The agent is a Python program, and whatever it executes while a command runs would be counted
 * with it, differently each time.  So it writes a plan to this program and sleeps; what happens from `Go` to `Exited`
 * are some hundred instructions of this program, the same ones every time.  The agent starts it once, because under
 * emulation the start of a program takes longer than most of what it does here.  The chain of processes is
 *
 *     agent -> keeper -> init (process 1 of new namespaces, in the command's control group) -> command
 *
 *  1. The keeper makes the folders, the control group and, after one that was used, a network; init builds the root and
 *     enters it.  In this place the command gets its task, becomes the entry's user, copies its inputs, says "ok" to the
 *     keeper and waits for a byte.  The agent gets a first report.
 *  2. It hands over the port.  The keeper sends `Started`, waits for `Go`, lets the command run, and kills the
 *     control group if the host asks for it, a fork was refused, or too much was printed.
 *  3. Init ends with the command, so the kernel kills every process that is left, and init can be waited for only when
 *     they are dead.  Then the keeper sends `Exited` and sleeps until the host has read its counter.
 *     A server (`invoke.c`) holds when it is healthy.  Then the keeper freezes the control group, sends `Loaded`, and
 *     gives the port back to the agent, so that the machine can be saved; it hears from the agent when to go on.
 *  4. It reads what is left in the pipes, fetches the files with the rights of the entry's user, and reports.  When the
 *     agent has finished with them, it removes the folders and the control group, and what was added to folders that
 *     commands share; it reports which of these have to be made again.
 *
 * Started with a number and folders, it holds the files in these instead; see hold().
 *
 * A plan has two parts, that of the place and that of the task.  A task without anything asks whether the place is ready,
 * which is reported, and is followed by another one: a machine is saved with the place of its command.
 *
 * Each part and a report are a length (32 bits, little endian) and fields: length, bytes, and, in a plan, a zero byte.
 * `container.py` writes the one and reads the other.  What goes wrong on our side is a report of one sentence, and the
 * end of this program; what the entry does wrong is written to its standard error.  Statically linked; needs Linux 5.9,
 * x86-64.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

enum { ORDERS = 100, REPORT, PORT }; /* descriptors that the agent gives us; see container.py */
enum {
    LAST_IPC = PORT + 1, /* the IPC namespace of the command before this one */
    SOCKETS,             /* what the kernel tells of the sockets in the network of commands */
};

enum {
    KEEP = 32 << 10,  /* bytes kept of the beginning and of the end of an output */
    CHUNK = 1 << 16,
    LARGE = 1 << 20,
    READY = 200, GO = 201, /* descriptors of a server's invoke.c */
    CHUNKS_A_WAKE = 16, /* then the port is looked at again, however fast the command prints */
    PIPE = 1 << 20,     /* so that the output of most commands is read when they have ended */
    FIRST_LOOK = 2000, LONGEST_LOOK = 8000, /* milliseconds */
    /* a command that starts at once does so in a machine whose clock leaps whenever nothing can run: while it waits for
       a disk, which must not wake us, and while it waits for us to empty a pipe, which then takes no time */
    LOOK_AT_ONCE = 300000,
    BUSY = 5000,
    HUNG_UP_TRIES = 1000, HUNG_UP_MICROSECONDS = 20000,
    FRAME = 128,
    SEQUENCE_AT = 20, /* place of the number in a frame's header; see evaluate/protocol/frames.py */
    NO_PROGRAM = 127, CANNOT_RUN = 126, OUR_FAULT = 70,
};

/* Reports: gathered in memory, because the agent takes longer for each read than for what it reads */

static struct {
    char *at;
    size_t n, room;
} report;

/* False where nobody reads any more. */
static bool written(int fd, const void *content, size_t n)
{
    for (size_t at = 0; at < n;) {
        ssize_t done = write(fd, (const char *)content + at, n - at);
        if (done < 0 && errno != EINTR)
            return false;
        at += done > 0 ? done : 0;
    }
    return true;
}

static void write_whole(int fd, const void *content, size_t n)
{
    if (!written(fd, content, n))
        _exit(OUR_FAULT);
}

/* Room for so many bytes more. */
static char *room_for(size_t n)
{
    if (report.n + n > report.room) {
        report.room = report.n + n + CHUNK;
        report.at = realloc(report.at, report.room);
        if (!report.at)
            _exit(OUR_FAULT);
    }
    return report.at + report.n;
}

static void add(const void *content, size_t n)
{
    uint32_t length = (uint32_t)n;
    char *field = room_for(sizeof length + n);
    memcpy(field, &length, sizeof length);
    memcpy(field + sizeof length, content, n);
    report.n += sizeof length + n;
}

static void add_number(uint64_t value)
{
    char digits[24];
    add(digits, snprintf(digits, sizeof digits, "%llu", (unsigned long long)value));
}

static void send_report(void)
{
    uint32_t length = (uint32_t)report.n;
    write_whole(REPORT, &length, sizeof length);
    write_whole(REPORT, report.at, report.n);
    report.n = 0;
    if (report.room > LARGE) { /* after large answers, the guest needs its memory for the next command */
        free(report.at);
        report.at = NULL;
        report.room = 0;
    }
}

/* Faults */

static int complaints = -1; /* in a child of the keeper: where the keeper reads what went wrong */

static void say(int fd, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (n > (int)sizeof text - 1)
        n = sizeof text - 1;
    if (write(fd, text, n) < 0)
        _exit(OUR_FAULT);
}

/* Something went wrong that is not the entry's doing: the agent reads why. */
static _Noreturn void fault(const char *doing, const char *name)
{
    char text[1024];
    int n = snprintf(text, sizeof text, "%s %s: %s", doing, name, strerror(errno));
    if (n > (int)sizeof text - 1)
        n = sizeof text - 1;
    if (complaints >= 0) {
        write_whole(complaints, text, n);
    } else {
        report.n = 0;
        add(text, n);
        send_report();
    }
    _exit(OUR_FAULT);
}

static long must(long result, const char *doing, const char *name)
{
    if (result < 0)
        fault(doing, name);
    return result;
}

/* The plan */

struct bytes {
    char *at;
    uint32_t n;
};

static struct part {
    char *at;
    uint32_t n, room;
} place_plan, task_plan;
static char *cursor; /* in the part that was read last */
static void *lists[12];
static int n_lists;

/* False where the one who writes has ended. */
static bool read_whole(int fd, void *target, size_t n)
{
    for (size_t at = 0; at < n;) {
        ssize_t got = read(fd, (char *)target + at, n - at);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        at += got > 0 ? got : 0;
    }
    return true;
}

static bool read_part(int fd, struct part *part)
{
    if (!read_whole(fd, &part->n, sizeof part->n))
        return false;
    if (part->n > part->room) {
        free(part->at);
        part->room = part->n;
        part->at = malloc(part->n);
        if (!part->at)
            return false;
    }
    cursor = part->at;
    return read_whole(fd, part->at, part->n);
}

static struct bytes data(void)
{
    struct bytes field;
    memcpy(&field.n, cursor, sizeof field.n);
    field.at = cursor + sizeof field.n;
    cursor = field.at + field.n;
    return field;
}

static char *text(void)
{
    char *at = cursor;
    cursor += strlen(at) + 1;
    return at;
}

static long number(void)
{
    return strtol(text(), NULL, 10);
}

struct list {
    int n;
    char **at; /* a null pointer follows */
};

static struct list texts(void)
{
    struct list list = {.n = (int)number()};
    list.at = calloc(list.n + 1, sizeof *list.at);
    if (!list.at || n_lists == sizeof lists / sizeof *lists)
        fault("memory", "for a list");
    lists[n_lists++] = list.at;
    for (int i = 0; i < list.n; i++)
        list.at[i] = text();
    return list;
}

/* Removal.  An entry can nest folders deeper than anything recurses, so a folder's folders are moved up to the top. */

enum { DEEPEST = 8 }; /* so far down folders are emptied where they are */

static DIR *open_folder(int parent, const char *name)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = fd < 0 ? NULL : fdopendir(fd);
    if (!folder)
        fault("opening", name);
    return folder;
}

/* Move a folder up to the top, under a name that nothing has there, whatever names the entry has given. */
static void move_up(int parent, const char *name, DIR *top)
{
    static unsigned long n;
    char moved[32];
    do {
        snprintf(moved, sizeof moved, "moved-%lu", n++);
        if (renameat2(parent, name, dirfd(top), moved, RENAME_NOREPLACE) == 0)
            return;
    } while (errno == EEXIST);
    fault("moving", name);
}

static bool clear(DIR *folder, DIR *top, int depth);

/* Remove one thing from a folder; false if it was moved up to the top. */
static bool removed(int parent, const struct dirent *item, DIR *top, int depth)
{
    const char *name = item->d_name;
    bool all = true;
    if (item->d_type != DT_DIR && unlinkat(parent, name, 0) == 0)
        return true;
    if (unlinkat(parent, name, AT_REMOVEDIR) == 0)
        return true;
    if (depth < DEEPEST) {
        DIR *below = open_folder(parent, name);
        all = clear(below, top, depth + 1);
        closedir(below);
        if (unlinkat(parent, name, AT_REMOVEDIR) == 0)
            return all;
    }
    move_up(parent, name, top);
    return false;
}

/* The next thing in a folder. */
static struct dirent *next_item(DIR *folder)
{
    struct dirent *item;
    do
        item = readdir(folder);
    while (item && (strcmp(item->d_name, ".") == 0 || strcmp(item->d_name, "..") == 0));
    return item;
}

/* Remove what is in a folder; false if something was moved up to the top, where it may be seen too late. */
static bool clear(DIR *folder, DIR *top, int depth)
{
    bool all = true;
    for (struct dirent *item; (item = next_item(folder));)
        all &= removed(dirfd(folder), item, top, depth);
    return all;
}

static bool empty_once(const char *path)
{
    DIR *top = open_folder(AT_FDCWD, path);
    bool all = clear(top, top, 0);
    closedir(top);
    return all;
}

static void empty_folder(const char *path)
{
    while (!empty_once(path))
        ;
}

static void remove_folder(const char *path)
{
    while (rmdir(path) < 0) {
        if (errno != ENOTEMPTY)
            fault("removing", path);
        empty_once(path);
    }
}

/* Steps: what the agent wants done to file systems, one after the other */

static void write_file(const char *path, const char *content)
{
    int fd = (int)must(open(path, O_WRONLY | O_CLOEXEC), "opening", path);
    must(write(fd, content, strlen(content)), "writing", path);
    close(fd);
}

/* What has this date has not been written to since: whatever is, gets another one. */
static void set_date(const char *path, long seconds)
{
    struct timespec both[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
    must(utimensat(AT_FDCWD, path, both, AT_SYMLINK_NOFOLLOW), "date of", path);
}

static bool has_date(const char *path, long seconds)
{
    struct stat status;
    must(lstat(path, &status), "date of", path);
    return status.st_mtim.tv_sec == seconds && status.st_mtim.tv_nsec == 0;
}

/* Folders that records share.

   What a record has added to one is removed, and it gets the dates back that it was made with.  The kernel sets two of
   them to what the clock says, when the folder is made (which does not change) and whenever anything of it changes: so
   the clock is turned back for that.  A record cannot set the clock, so where these dates are as they were, nothing has
   changed; and a folder that had to be made again does not differ from one that is as it was. */

static struct timespec true_time, turned_back;
static int n_turned;

static void turn_clock_back(long seconds)
{
    struct timespec then = {.tv_sec = seconds};
    if (n_turned++ == 0) {
        clock_gettime(CLOCK_REALTIME, &true_time);
        clock_gettime(CLOCK_MONOTONIC, &turned_back);
    }
    must(clock_settime(CLOCK_REALTIME, &then), "setting", "the clock");
}

static void set_true_time(void)
{
    enum { SECOND = 1000000000 };
    struct timespec now;
    if (--n_turned > 0)
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    now.tv_sec += true_time.tv_sec - turned_back.tv_sec;
    now.tv_nsec += true_time.tv_nsec - turned_back.tv_nsec;
    if (now.tv_nsec < 0)
        now.tv_sec--, now.tv_nsec += SECOND;
    if (now.tv_nsec >= SECOND)
        now.tv_sec++, now.tv_nsec -= SECOND;
    must(clock_settime(CLOCK_REALTIME, &now), "setting", "the clock");
}

static bool last_changed(const char *path, long seconds, struct stat *status)
{
    must(lstat(path, status), "dates of", path);
    return status->st_ctim.tv_sec == seconds && status->st_ctim.tv_nsec == 0;
}

/* Give it all dates but that of its making. */
static void set_all_dates(const char *path, long seconds)
{
    struct stat status;
    do { /* again, if the clock has ticked meanwhile */
        turn_clock_back(seconds);
        set_date(path, seconds);
        set_true_time();
    } while (!last_changed(path, seconds, &status));
}

static void make_folder(const char *path, mode_t mode, uid_t uid, gid_t gid, long seconds)
{
    struct stat status;
    for (;;) {
        turn_clock_back(seconds);
        must(mkdir(path, mode), "mkdir", path);
        must(chown(path, uid, gid), "chown", path);
        set_true_time();
        if (last_changed(path, seconds, &status))
            return;
        must(rmdir(path), "rmdir", path);
    }
}

static struct remembered {
    char path[128];
    struct stat status;
    unsigned flags;
    ssize_t attributes; /* bytes of the names */
} remembered[4];

static void look_at(const char *path, struct remembered *found)
{
    int fd = (int)must(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), "opening", path);
    must(fstat(fd, &found->status), "status of", path);
    must(ioctl(fd, FS_IOC_GETFLAGS, &found->flags), "flags of", path);
    found->attributes = must(flistxattr(fd, NULL, 0), "attributes of", path);
    close(fd);
}

static struct remembered *memory_of(const char *path)
{
    for (size_t i = 0; i < sizeof remembered / sizeof *remembered; i++) {
        struct remembered *one = &remembered[i];
        if (!*one->path && strlen(path) < sizeof one->path)
            strcpy(one->path, path);
        if (strcmp(one->path, path) == 0)
            return one;
    }
    errno = ENOSPC;
    fault("remembering", path);
}

/* Remember how an empty folder is when everything that we want to do with it is done. */
static void remember(const char *path, long seconds)
{
    set_all_dates(path, seconds);
    look_at(path, memory_of(path));
}

/* Give an empty folder its dates; false if it differs in anything else from how it was. */
static bool is_as_remembered(const char *path, long seconds)
{
    const struct remembered *then = memory_of(path);
    struct remembered now;
    look_at(path, &now);
    if (now.status.st_mode != then->status.st_mode || now.status.st_uid != then->status.st_uid ||
        now.status.st_gid != then->status.st_gid || now.status.st_size != then->status.st_size ||
        now.status.st_blocks != then->status.st_blocks ||
        now.flags != then->flags || now.attributes != then->attributes)
        return false;
    set_all_dates(path, seconds);
    return true;
}

static bool restore_folder(const char *path, long seconds)
{
    struct stat status;
    if (last_changed(path, seconds, &status))
        return true;
    empty_folder(path);
    return is_as_remembered(path, seconds);
}

enum { MOST_ADDED = 100 }; /* above, unmounting the home folder and removing what was below takes less time */

static bool is_in(int folder, const char *name)
{
    struct stat status;
    return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Whether what is in `added`, above the entry's own `files`, are only things that did not exist before: then they can
   be removed through the mounted folder, and nothing of them is left. */
static bool all_new(DIR *added, int files, int masks)
{
    int n = 0;
    for (struct dirent *item; (item = next_item(added));)
        if (n++ == MOST_ADDED || (is_in(files, item->d_name) && !is_in(masks, item->d_name)))
            return false;
    return true;
}

/* Remove what a record has added to its home, a folder that is laid over the entry's own files; false if that does not
   make it as it was. */
static bool restore_home(const char *home, const char *upper, const char *own, const char *hidden, long seconds)
{
    struct stat status;
    if (last_changed(upper, seconds, &status))
        return true;
    DIR *added = open_folder(AT_FDCWD, upper), *top = open_folder(AT_FDCWD, home), *files = open_folder(AT_FDCWD, own);
    DIR *masks = open_folder(AT_FDCWD, hidden);
    bool can = all_new(added, dirfd(files), dirfd(masks)), all = !can;
    while (!all) {
        all = true;
        rewinddir(added);
        for (struct dirent *item; (item = next_item(added));)
            all &= removed(dirfd(top), item, top, 0);
    }
    closedir(added);
    closedir(top);
    closedir(files);
    closedir(masks);
    return can && is_as_remembered(upper, seconds);
}

/* Hide a file of the entry by a device that the overlay takes for that, in a layer above it. */
static void mask(const char *path, const char *file)
{
    struct stat status;
    if (lstat(file, &status) == 0 && !S_ISDIR(status.st_mode)) /* what no record can remove stays */
        must(mknod(path, S_IFCHR, 0), "hiding", file);
}

/* A folder of the top level of the command's root, which an entry may have replaced by a link. */
static void top_level(const char *path)
{
    struct stat status;
    if (mkdir(path, 0755) == 0)
        return;
    if (errno == EEXIST && lstat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return;
    fault("not a folder of the top level:", path);
}

static long n_files, most_files;

static int forget_file(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)place;
    if (kind != FTW_F)
        return 0;
    if (n_files++ == most_files)
        return 1;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0) {
        posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
        close(fd);
    }
    return 0;
}

/* Drop what is in memory of the files below a folder, or, if they are many, of all files. */
static void forget(const char *folder, long most)
{
    n_files = 0;
    most_files = most;
    if (nftw(folder, forget_file, 16, FTW_PHYS | FTW_MOUNT) != 0) /* also where paths are too long */
        write_file("/proc/sys/vm/drop_caches", "1");
}

/* Holding: another process of this program has every page of the entry's files in memory and locks it there.  A page
   that somebody has locked stays, whatever a record asks the kernel to drop, and however little memory there is. */

enum { SHARE_HELD = 32 }; /* of the machine's memory, so that a record has about as much as before */

static uint64_t room_held;

static int hold_file(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)place;
    if (kind == FTW_D || kind == FTW_SL)
        return 0;
    size_t size = (size_t)status->st_size;
    if (kind != FTW_F || n_files++ == most_files)
        return 1;
    if (!S_ISREG(status->st_mode) || size == 0)
        return 0;
    if (size > room_held)
        return 1;
    room_held -= size;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    void *at = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    return at == MAP_FAILED || mlock(at, size) < 0;
}

/* Whether the files below folders could be locked: they are no more than so many, and not larger together. */
static bool held(char **folders, long most, uint64_t bytes)
{
    n_files = 0;
    most_files = most;
    room_held = bytes;
    for (; *folders; folders++)
        if (nftw(*folders, hold_file, 16, FTW_PHYS | FTW_MOUNT) != 0) /* also where paths are too long */
            return false;
    return true;
}

/* Hold them, and say so by a byte; end if that cannot be. */
static _Noreturn void hold(char **folders, long most)
{
    struct sysinfo machine;
    must(sysinfo(&machine), "size of", "the memory");
    write_file("/proc/self/oom_score_adj", "-1000");
    if (!held(folders, most, (uint64_t)machine.totalram * machine.mem_unit / SHARE_HELD))
        _exit(0);
    write_whole(STDOUT_FILENO, "h", 1);
    for (;;)
        pause();
}

static void steps(struct bytes list)
{
    cursor = list.at;
    for (long left = number(); left > 0; left--) {
        const char *step = text(), *path = text();
        if (strcmp(step, "mount") == 0) {
            const char *source = text(), *type = text();
            unsigned long flags = (unsigned long)number();
            const char *options = text();
            if (!*options)
                options = NULL; /* or the kernel copies a page of them */
            must(mount(source, path, type, flags, options), "mount at", path);
        } else if (strcmp(step, "mkdir") == 0) {
            must(mkdir(path, (mode_t)number()), "mkdir", path);
        } else if (strcmp(step, "chown") == 0) {
            uid_t uid = (uid_t)number();
            must(chown(path, uid, (gid_t)number()), "chown", path);
        } else if (strcmp(step, "unmount") == 0) {
            must(umount2(path, MNT_DETACH), "unmounting", path);
        } else if (strcmp(step, "remove") == 0) {
            remove_folder(path);
        } else if (strcmp(step, "empty") == 0) {
            empty_folder(path);
        } else if (strcmp(step, "date") == 0) {
            set_date(path, number());
        } else if (strcmp(step, "clock") == 0) {
            long seconds = number();
            if (strcmp(path, "back") == 0)
                turn_clock_back(seconds);
            else
                set_true_time();
        } else if (strcmp(step, "folder") == 0) {
            mode_t mode = (mode_t)number();
            uid_t uid = (uid_t)number();
            gid_t gid = (gid_t)number();
            make_folder(path, mode, uid, gid, number());
        } else if (strcmp(step, "remember") == 0) {
            remember(path, number());
        } else if (strcmp(step, "mask") == 0) {
            mask(path, text());
        } else if (strcmp(step, "top") == 0) {
            top_level(path);
        } else if (strcmp(step, "forget") == 0) {
            forget(path, number());
        } else if (strcmp(step, "write") == 0) {
            write_file(path, text());
        } else {
            errno = EINVAL;
            fault("unknown step", step);
        }
    }
}

/* The command */

struct task {
    struct list remove, inputs; /* of inputs each second one is the name on the medium */
    struct list argv, env;
    char *cwd;
    bool container;
    uid_t uid;
    gid_t gid;
    uint64_t rights; /* capabilities that a container keeps, as bits */
    int machine; /* the folder of the medium and of our own programs, with what will be mounted there */
    int medium, standard_input, own, out[2];
    int plan, go; /* reading ends */
    int ready; /* writing end, of a server; -1 for others */
};

/* Give up every capability for good, but for those that are kept, as bits. */
static void drop_bounding_set(uint64_t kept)
{
    for (int i = 0;; i++)
        if (!(i < 64 && kept >> i & 1) && prctl(PR_CAPBSET_DROP, i, 0, 0, 0) < 0)
            return; /* the kernel knows no further one */
}

/* What no process that we start may do: a process of the command inherits it.  Once, since it takes the kernel long. */
static void refuse(struct bytes filter)
{
    static bool done;
    struct sock_fprog program = {.len = filter.n / sizeof(struct sock_filter), .filter = (void *)filter.at};
    if (done)
        return;
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges", "");
    must(prctl(PR_SET_SECCOMP, 2 /* filter */, &program), "seccomp", "");
    done = true;
}

static void become(const struct task *task)
{
    if (task->container) /* a new user namespace has every right within */
        drop_bounding_set(task->rights);
    must(setgroups(0, NULL), "setgroups", "");
    must(setresgid(task->gid, task->gid, task->gid), "setresgid", "");
    must(setresuid(task->uid, task->uid, task->uid), "setresuid", "");
}

/* Returns false, with errno, if the entry has made this path unusable. */
static bool copy_input(int medium, const char *name, const char *target)
{
    int source = openat(medium, name, O_RDONLY | O_CLOEXEC);
    if (source < 0)
        fault(name, "on the records medium");
    if (unlink(target) < 0 && errno != ENOENT) /* what exists there, above all a link, is not followed */
        return false;
    int out = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (out < 0)
        return false;
    ssize_t n;
    while ((n = sendfile(out, source, NULL, 1 << 24)) > 0)
        ;
    close(source);
    return n == 0 && close(out) == 0;
}

/* The path that the entry has made unusable, with errno, or NULL. */
static const char *prepare_files(const struct task *task)
{
    for (int i = 0; i < task->remove.n; i++)
        if (unlink(task->remove.at[i]) < 0 && errno != ENOENT)
            return task->remove.at[i];
    for (int i = 0; i + 1 < task->inputs.n; i += 2)
        if (!copy_input(task->medium, task->inputs.at[i + 1], task->inputs.at[i]))
            return task->inputs.at[i];
    return NULL;
}

/* Call a function at the address that the host's counter knows (MARK_AT in evaluate/protocol/guest.py). */
static void mark(void)
{
    void *wanted = (void *)((1UL << 40) + (1UL << 20));
    unsigned char *code = mmap(wanted, 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (code != wanted)
        _exit(OUR_FAULT);
    *code = 0xc3; /* ret */
    if (mprotect(code, 1, PROT_READ | PROT_EXEC) < 0)
        _exit(OUR_FAULT);
    ((void (*)(void))wanted)();
}

static void execute(const struct task *task, bool is_path)
{
    char **argv = task->argv.at, **env = task->env.at;
    if (task->own >= 0) {
        if (task->ready >= 0) { /* the copies stay open */
            dup2(task->ready, READY);
            dup2(task->go, GO);
        }
        syscall(SYS_execveat, task->own, "", argv, env, AT_EMPTY_PATH);
        return;
    }
    if (is_path) {
        execve(argv[0], argv, env);
        return;
    }
    const char *path = "";
    for (int i = 0; i < task->env.n; i++)
        if (strncmp(env[i], "PATH=", 5) == 0)
            path = env[i] + 5;
    while (*path) {
        int n = (int)strcspn(path, ":");
        char *program;
        if (asprintf(&program, "%.*s/%s", n ? n : 1, n ? path : ".", argv[0]) < 0)
            return;
        execve(program, argv, env);
        if (errno != ENOENT && errno != ENOTDIR)
            return;
        path += n + (path[n] == ':');
    }
    errno = ENOENT;
}

/* What a plan says */

static struct bytes started, exited, loaded, busy, go, kill_frame, counted; /* only their numbers change */

struct order {
    struct task task;
    const char *group, *root, *machine_path, *stdin_path;
    const char *medium_name, *own_name; /* in the machine's folder; of our own program, if it is not the entry's */
    const char *owners; /* of a container's user namespace; empty: none */
    uid_t owner, reader;
    uint64_t output_bytes;
    size_t answer_bytes;
    struct list collect;
    struct bytes shared, before, root_steps, after, root_changed, home_changed; /* steps */
    struct list watched, restored, home;
    long unwritten; /* the date of a watched folder that has not been written to */
    time_t clock;   /* what the clock says when the command starts; 0: what it says then */
    bool holds;     /* whether it is a server that holds when it is healthy */
    struct bytes filter;
};

/* The fields of both parts in their order; see plan_of_place() and plan_of_task() in container.py. */
static struct order read_place(void)
{
    struct order order = {0};
    while (n_lists > 0)
        free(lists[--n_lists]);
    order.group = text();
    order.owner = (uid_t)number();
    order.output_bytes = (uint64_t)number();
    order.root = text();
    order.machine_path = text();
    order.medium_name = text();
    order.owners = text();
    order.task.container = *order.owners != 0;
    order.task.uid = (uid_t)number();
    order.task.gid = (gid_t)number();
    order.task.rights = (uint64_t)number();
    order.filter = data();
    order.answer_bytes = (size_t)number();
    order.reader = (uid_t)number();
    order.unwritten = number();
    order.watched = texts();
    order.restored = texts();
    order.home = texts(); /* of restore_home() */
    order.stdin_path = text();
    order.holds = number() != 0;
    order.shared = data(), order.before = data(), order.root_steps = data(), order.after = data();
    order.root_changed = data(), order.home_changed = data();
    struct bytes *frames[] = {&started, &exited, &loaded, &busy, &go, &kill_frame, &counted};
    errno = EINVAL;
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        *frames[i] = data();
        if (frames[i]->n > FRAME || frames[i]->n <= SEQUENCE_AT + 8)
            fault("size of", "a frame");
    }
    return order;
}

static void read_task(struct order *order)
{
    order->task.env = texts();
    order->clock = number();
    order->own_name = text();
    order->task.cwd = text();
    order->task.argv = texts();
    order->task.remove = texts();
    order->task.inputs = texts();
    order->collect = texts();
}

static int opened(int folder, const char *name, int flags)
{
    return (int)must(openat(folder, name, O_RDONLY | O_CLOEXEC | flags), "opening", name);
}

/* Give an open file the number of one that stays when those of a command are closed. */
static void move_to(int number, int fd)
{
    must(dup3(fd, number, O_CLOEXEC), "moving", "a descriptor");
    close(fd);
}

/* Wait for the task, and say as often as asked that the place is ready. */
static void receive_task(struct order *order)
{
    struct task *task = &order->task;
    do {
        if (!read_part(task->plan, &task_plan))
            _exit(OUR_FAULT);
    } while (task_plan.n == 0 && write(complaints, "", 1) == 1);
    read_task(order);
    if (task->inputs.n > 0)
        task->medium = opened(task->machine, order->medium_name, O_DIRECTORY);
    task->own = *order->own_name ? opened(task->machine, order->own_name, 0) : -1;
}

static _Noreturn void command(struct order *order)
{
    struct task *task = &order->task;
    char byte;
    must(setsid(), "setsid", "");
    struct sched_param normal = {0};
    must(sched_setscheduler(0, SCHED_OTHER, &normal), "scheduler", "");
    must(setpriority(PRIO_PROCESS, 0, 0), "priority", "");
    struct rlimit no_core = {0, 0}, files = {4096, 4096};
    must(setrlimit(RLIMIT_CORE, &no_core), "limit of", "core files");
    must(setrlimit(RLIMIT_NOFILE, &files), "limit of", "open files");
    if (task->container) /* the limit of this namespace: no nested ones */
        write_file("/proc/sys/user/max_user_namespaces", "0");
    receive_task(order); /* still as root: nobody else may look into the machine's folder */
    signal(SIGPIPE, SIG_DFL);
    become(task);
    umask(022);
    const char *unusable = prepare_files(task);
    int why = errno;
    dup2(task->standard_input, 0);
    dup2(task->out[0], 1);
    dup2(task->out[1], 2);
    write_whole(complaints, "ok", 2);
    close(complaints); /* before the mark everything sleeps, for `Go`, or since it takes precedence */
    bool is_path = strchr(task->argv.at[0], '/') != NULL; /* looked at before the mark: how long that takes differs */
    if (read(task->go, &byte, 1) != 1)
        _exit(OUR_FAULT);
    mark();
    if (unusable) {
        say(2, "cannot prepare %s: %s\n", unusable, strerror(why));
        _exit(CANNOT_RUN);
    }
    const char *needed = task->cwd;
    if (chdir(task->cwd) == 0) {
        needed = task->argv.at[0];
        execute(task, is_path);
    }
    why = errno;
    say(2, "%s: %s\n", needed, strerror(why));
    _exit(why == ENOENT || why == ENOTDIR ? NO_PROGRAM : CANNOT_RUN);
}

/* Process 1 of the namespaces */

static void close_all_but(unsigned fd)
{
    if (fd > 0)
        close_range(0, fd - 1, 0);
    close_range(fd + 1, ~0U, 0);
}

static void map_user(pid_t pid, const char *kind, const char *map)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, kind);
    write_file(path, map);
}

static _Noreturn void init(struct order *order, int status_end)
{
    struct task *task = &order->task;
    char byte = 'x';
    int named[2], mapped[2], status;
    must(unshare(CLONE_NEWCGROUP), "control group", "namespace");
    task->standard_input = opened(AT_FDCWD, order->stdin_path, 0);
    must(mount("", "/", "", MS_REC | MS_PRIVATE, ""), "making mounts", "private");
    steps(order->root_steps);
    must(chdir(order->root), "chdir", order->root);
    must(syscall(SYS_pivot_root, ".", "."), "pivot_root", order->root);
    must(umount2(".", MNT_DETACH), "umount", "the old root");
    must(chdir("/"), "chdir", "/");
    if (task->container) {
        must(pipe2(named, O_CLOEXEC), "pipe", "of init");
        must(pipe2(mapped, O_CLOEXEC), "pipe", "of init");
    }
    /* outside a container the command needs nothing more of init, which waits meanwhile: it uses init's memory until it
       starts its program, since copying that takes long */
    pid_t pid = (pid_t)must(task->container ? fork() : vfork(), "fork", "of the command");
    if (pid == 0) {
        if (task->container) {
            must(unshare(CLONE_NEWUSER), "user", "namespace");
            if (write(named[1], &byte, 1) != 1 || read(mapped[0], &byte, 1) != 1)
                _exit(OUR_FAULT);
        }
        command(order);
    }
    if (task->container) {
        if (read(named[0], &byte, 1) != 1)
            _exit(OUR_FAULT);
        map_user(pid, "uid_map", order->owners);
        map_user(pid, "gid_map", order->owners);
        if (write(mapped[1], &byte, 1) != 1)
            _exit(OUR_FAULT);
    }
    close_all_but(status_end);
    for (;;) {
        pid_t ended = wait(&status); /* orphans of the command become our children */
        if (ended == pid)
            break;
        if (ended < 0)
            _exit(OUR_FAULT);
    }
    _exit(write(status_end, &status, sizeof status) == sizeof status ? 0 : OUR_FAULT);
}

/* Output */

struct stream {
    int fd, writing_end;
    uint64_t total;
    size_t n_head, n_tail;
    char head[KEEP], tail[2 * KEEP + CHUNK];
};

static struct stream out, err;

static void open_stream(struct stream *stream, uid_t owner)
{
    int ends[2];
    must(pipe2(ends, O_CLOEXEC), "pipe", "for output");
    stream->total = stream->n_head = stream->n_tail = 0;
    stream->fd = ends[0];
    stream->writing_end = ends[1];
    must(fcntl(ends[0], F_SETPIPE_SZ, PIPE), "size of", "a pipe");
    must(fcntl(ends[0], F_SETFL, O_NONBLOCK), "flags of", "a pipe");
    must(fchown(ends[0], owner, owner), "owner of", "a pipe"); /* so that a program may open /dev/stdout */
}

/* Read what is there, at most so many chunks; a negative number: all of it. */
static void drain(struct stream *stream, int chunks)
{
    static char chunk[CHUNK];
    while (chunks-- != 0) {
        ssize_t n = read(stream->fd, chunk, sizeof chunk);
        if (n <= 0)
            return;
        size_t room = KEEP - stream->n_head, first = (size_t)n < room ? (size_t)n : room;
        stream->total += n;
        memcpy(stream->head + stream->n_head, chunk, first);
        stream->n_head += first;
        memcpy(stream->tail + stream->n_tail, chunk + first, n - first);
        stream->n_tail += n - first;
        if (stream->n_tail > 2 * KEEP) {
            memmove(stream->tail, stream->tail + stream->n_tail - KEEP, KEEP);
            stream->n_tail = KEEP;
        }
    }
}

static bool is_full(const struct stream *stream)
{
    struct pollfd end = {.fd = stream->writing_end, .events = POLLOUT};
    return poll(&end, 1, 0) == 0;
}

/* The port.  The agent has made every frame that may come or go. */

static uint64_t sent, heard;
static char arriving[FRAME];
static size_t n_arriving;

static void number_frame(struct bytes frame, uint64_t sequence)
{
    for (int i = 7; i >= 0; i--, sequence >>= 8)
        frame.at[SEQUENCE_AT + i] = (char)sequence;
}

static void send_frame(struct bytes frame)
{
    number_frame(frame, sent++);
    write_whole(PORT, frame.at, frame.n);
}

enum heard { NOTHING_YET, EXPECTED, UNEXPECTED };

/* Read from the port; what is not the expected frame is left in `arriving` for the agent to judge. */
static enum heard hear(struct bytes expected)
{
    static int tries;
    ssize_t n = read(PORT, arriving + n_arriving, expected.n - n_arriving);
    if (n < 0)
        return errno == EINTR || errno == EAGAIN ? NOTHING_YET : UNEXPECTED;
    if (n == 0) { /* the host is not connected; it may be connecting again after the machine was restored */
        usleep(HUNG_UP_MICROSECONDS);
        return ++tries < HUNG_UP_TRIES ? NOTHING_YET : UNEXPECTED;
    }
    tries = 0;
    n_arriving += n;
    number_frame(expected, heard);
    if (memcmp(arriving, expected.at, n_arriving) != 0)
        return UNEXPECTED;
    if (n_arriving < expected.n)
        return NOTHING_YET;
    n_arriving = 0;
    heard++;
    return EXPECTED;
}

static void wait_for_port(void)
{
    struct pollfd port = {.fd = PORT, .events = POLLIN};
    while (poll(&port, 1, -1) < 0 && errno == EINTR)
        ;
}

/* Watching */

/* Run before every command, and what we start, too; or else wake at a tick, and so once for many small writes. */
static void take_precedence(bool wanted)
{
    static bool has;
    if (wanted != has)
        must(sched_setscheduler(0, wanted ? SCHED_FIFO : SCHED_BATCH, &(struct sched_param){.sched_priority = wanted}),
             "scheduler", "of the keeper");
    has = wanted;
}

static bool fork_was_refused(int events)
{
    char line[256];
    ssize_t n = pread(events, line, sizeof line - 1, 0); /* so that the next event wakes us again */
    if (n < 0)
        return false;
    line[n] = 0;
    char *max = strstr(line, "max ");
    return max && strtol(max + 4, NULL, 10) > 0;
}

struct running {
    pid_t init;
    int init_fd, group_fd, kill_fd, pids_events;
    int go, status; /* our ends */
    int said, task;  /* our ends, until it has its task */
    int ready;      /* reading end, of a server; -1 for others */
};

enum seen { DEAD, DISORDERLY, HELD };

/* From `Go` until every process of the command is dead (DISORDERLY: the host said something else than it may), or until
   a server is healthy. */
static enum seen watch(const struct running *running, uint64_t output_bytes, bool at_once)
{
    struct pollfd set[] = {
        {.fd = running->init_fd, .events = POLLIN},      {.fd = PORT, .events = POLLIN},
        {.fd = running->pids_events, .events = POLLPRI}, {.fd = running->ready, .events = POLLIN},
        {.fd = -1, .events = POLLIN},                    {.fd = -1, .events = POLLIN},
    };
    int look = at_once ? LOOK_AT_ONCE : FIRST_LOOK;
    bool killed = false, orderly = true;
    char byte;
    for (;;) {
        int n = poll(set, sizeof set / sizeof *set, killed ? BUSY : look);
        if (n < 0 && errno != EINTR)
            _exit(OUR_FAULT);
        if (n <= 0) {
            if (killed) {
                send_frame(busy);
            } else if (n == 0) {
                /* output does not wake us before a pipe is full: a command that prints little is counted alike */
                if (look < LONGEST_LOOK)
                    look *= 2;
                if (is_full(&out) || is_full(&err)) {
                    take_precedence(false);
                    look = -1;
                    set[4].fd = out.fd;
                    set[5].fd = err.fd;
                }
            }
            continue;
        }
        if (set[0].revents)
            return orderly ? DEAD : DISORDERLY;
        bool over = false;
        if (set[1].revents) {
            enum heard what = hear(kill_frame);
            orderly = what != UNEXPECTED;
            over = what != NOTHING_YET;
        }
        if (set[2].revents)
            over |= fork_was_refused(running->pids_events);
        if (set[4].revents)
            drain(&out, CHUNKS_A_WAKE);
        if (set[5].revents)
            drain(&err, CHUNKS_A_WAKE);
        over |= out.total + err.total > output_bytes;
        if (over) {
            write_whole(running->kill_fd, "1", 1);
            killed = true;
            for (int i = 1; i < 6; i++)
                set[i].fd = -1;
        } else if (set[3].revents) {
            if (read(running->ready, &byte, 1) == 1)
                return HELD;
            set[3].fd = -1; /* it has closed its end, and so is ending */
        }
    }
}

/* What the agent gets to know of a command that has ended */

static void add_stream(struct stream *stream)
{
    drain(stream, -1);
    add_number(stream->total);
    add(stream->head, stream->n_head);
    size_t n = stream->n_tail < KEEP ? stream->n_tail : KEEP;
    add(stream->tail + stream->n_tail - n, n);
}

/* A number in a file: after its key, or, where that is empty, at the beginning. */
static void add_value_of(int fd, const char *name, const char *key)
{
    char text[512];
    text[must(pread(fd, text, sizeof text - 1, 0), "reading", name)] = 0;
    const char *at = strstr(text, key);
    add_number(at ? strtoull(at + strlen(key), NULL, 10) : 0);
}

static void add_value(int group, const char *name, const char *key)
{
    int fd = opened(group, name, 0);
    add_value_of(fd, name, key);
    close(fd);
}

/* A regular file as the entry sees it: "+" and its bytes, or what is wrong with it. */
static void add_file(int root, const char *path, size_t most)
{
    struct open_how how = {.flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC,
                           .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS};
    struct stat status;
    char problem[64];
    const char *why = NULL;
    int fd = (int)syscall(SYS_openat2, root, path, &how, sizeof how);
    if (fd < 0) {
        why = errno == ENOENT || errno == ENOTDIR ? "missing"
              : errno == ELOOP || errno == ENXIO  ? "not a regular file"
                                                  : strerror(errno);
    } else if (fstat(fd, &status) < 0 || !S_ISREG(status.st_mode)) {
        why = "not a regular file";
    } else {
        uint32_t length;
        size_t most_now = status.st_size < (off_t)most ? (size_t)status.st_size : most, n = 0;
        char *content = room_for(sizeof length + most_now + 2) + sizeof length;
        ssize_t got = 1;
        *content++ = '+';
        while (n <= most_now && (got = read(fd, content + n, most_now + 1 - n)) > 0)
            n += got;
        if (got < 0) {
            why = strerror(errno);
        } else if (n > most_now) {
            snprintf(problem, sizeof problem, "larger than %zu bytes", most);
            why = problem;
        } else {
            length = (uint32_t)n + 1;
            memcpy(report.at + report.n, &length, sizeof length);
            report.n += sizeof length + length;
        }
    }
    if (why)
        add(why, strlen(why));
    if (fd >= 0)
        close(fd);
}

/* No process of the entry is alive: what is read does not change meanwhile. */
static void add_files(int root, struct list paths, size_t most, uid_t reader)
{
    setfsgid(reader); /* with a user other than root, the rights over files that root has are gone too */
    setfsuid(reader);
    for (int i = 0; i < paths.n; i++)
        add_file(root, paths.at[i], most);
    setfsuid(0);
    setfsgid(0);
}

/* The network.  Under emulation, making a namespace and removing it takes longer than many a record.  So commands share
   one until the first of them has made an Internet socket, which may leave a counter or a port that is still taken, or
   has left a socket of any kind: those that hold one another outlive all processes. */

static volatile uint32_t *made_internet_socket; /* which the kernel sets */

static int bpf(enum bpf_cmd command, union bpf_attr *attributes, const char *name)
{
    return (int)must(syscall(SYS_bpf, command, attributes, sizeof *attributes), "bpf", name);
}

static void watch_sockets(const char *groups)
{
    union bpf_attr map = {.map_type = BPF_MAP_TYPE_ARRAY, .key_size = sizeof(uint32_t),
                          .value_size = sizeof *made_internet_socket, .max_entries = 1, .map_flags = BPF_F_MMAPABLE};
    int flag = bpf(BPF_MAP_CREATE, &map, "map");
    struct bpf_insn code[] = {
        {.code = BPF_LD | BPF_DW | BPF_IMM, .dst_reg = BPF_REG_1, .src_reg = BPF_PSEUDO_MAP_VALUE, .imm = flag}, {0},
        {.code = BPF_ST | BPF_MEM | BPF_W, .dst_reg = BPF_REG_1, .imm = 1},
        {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 1}, /* allowed */
        {.code = BPF_JMP | BPF_EXIT},
    };
    union bpf_attr program = {.prog_type = BPF_PROG_TYPE_CGROUP_SOCK, .expected_attach_type = BPF_CGROUP_INET_SOCK_CREATE,
                              .insns = (uintptr_t)code, .insn_cnt = sizeof code / sizeof *code, .license = (uintptr_t)""};
    int watcher = bpf(BPF_PROG_LOAD, &program, "program"), folder = opened(AT_FDCWD, groups, O_DIRECTORY);
    union bpf_attr place = {.target_fd = folder, .attach_bpf_fd = watcher, .attach_type = BPF_CGROUP_INET_SOCK_CREATE};
    bpf(BPF_PROG_ATTACH, &place, "attachment");
    made_internet_socket = mmap(NULL, sizeof *made_internet_socket, PROT_READ | PROT_WRITE, MAP_SHARED, flag, 0);
    must(made_internet_socket == MAP_FAILED ? -1 : 0, "memory", "of a map");
    *made_internet_socket = 1; /* so that a network is made for the first command */
    close(flag);
    close(watcher);
    close(folder);
}

static void start_loopback(void)
{
    struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP};
    int fd = (int)must(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), "socket", "for the loopback");
    must(ioctl(fd, SIOCSIFFLAGS, &request), "starting", "the loopback");
    close(fd);
}

static bool left_a_socket(void)
{
    static const char none[] = "sockets: used 0\n";
    char text[sizeof none - 1];
    ssize_t n = must(pread(SOCKETS, text, sizeof text, 0), "reading", "sockstat");
    return n != sizeof text || memcmp(text, none, sizeof text) != 0;
}

/* Have an unused network, which the processes that we start inherit. */
static void renew_network(void)
{
    if (!*made_internet_socket && !left_a_socket())
        return;
    must(unshare(CLONE_NEWNET), "network", "namespace");
    start_loopback();
    move_to(SOCKETS, opened(AT_FDCWD, "/proc/self/net/sockstat", 0));
    *made_internet_socket = 0;
}

/* One command */

/* Make the place of a command, whose process waits there for its task. */
static struct running make_place(struct order *order)
{
    struct running running = {.init_fd = -1, .ready = -1};
    struct clone_args arguments = {0};
    int said[2], tasks[2], ends[2], go_ends[2], ready_ends[2] = {-1, -1};

    take_precedence(true); /* at its mark, nothing else may have anything to do */
    refuse(order->filter);
    steps(order->shared);
    steps(order->before);
    open_stream(&out, order->owner);
    open_stream(&err, order->owner);
    order->task.out[0] = out.writing_end;
    order->task.out[1] = err.writing_end;
    must(pipe2(said, O_CLOEXEC), "pipe", "of complaints");
    must(pipe2(tasks, O_CLOEXEC), "pipe", "of the task");
    must(pipe2(ends, O_CLOEXEC), "pipe", "of the status");
    must(pipe2(go_ends, O_CLOEXEC), "pipe", "of the start");
    if (order->holds)
        must(pipe2(ready_ends, O_CLOEXEC), "pipe", "of a server");
    order->task.plan = tasks[0];
    order->task.go = go_ends[0];
    order->task.ready = ready_ends[1];
    running.said = said[0];
    running.task = tasks[1];
    running.ready = ready_ends[0];
    running.go = go_ends[1];
    running.status = ends[0];
    /* of our mounts, not of the copy that init gets: a medium that is mounted later is there, too */
    order->task.machine = opened(AT_FDCWD, order->machine_path, O_DIRECTORY);
    running.group_fd = opened(AT_FDCWD, order->group, O_DIRECTORY);
    running.kill_fd = (int)must(openat(running.group_fd, "cgroup.kill", O_WRONLY | O_CLOEXEC), "opening", "cgroup.kill");
    running.pids_events = opened(running.group_fd, "pids.events", 0);
    fork_was_refused(running.pids_events); /* otherwise it counts as changed and wakes us at once */
    renew_network();
    arguments.flags = CLONE_INTO_CGROUP | CLONE_PIDFD | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWUTS | CLONE_NEWIPC;
    arguments.cgroup = (uint64_t)running.group_fd;
    arguments.pidfd = (uint64_t)(uintptr_t)&running.init_fd;
    arguments.exit_signal = SIGCHLD;
    running.init = (pid_t)must(syscall(SYS_clone3, &arguments, sizeof arguments), "clone3", "of init");
    if (running.init == 0) {
        complaints = said[1];
        close(running.go);
        close(running.task);
        init(order, ends[1]);
    }
    close(said[1]);
    close(tasks[0]);
    close(ends[1]);
    close(go_ends[0]);
    if (order->holds)
        close(ready_ends[1]);
    return running;
}

/* Pass on what the agent wants done, and report the answer: "ok", or what went wrong.  Whether there is more to come:
   that was no task yet, and the place is ready. */
static bool pass_on(const struct running *running)
{
    char word[1024];
    size_t n_word = 0;
    ssize_t n;

    if (!read_part(ORDERS, &task_plan))
        _exit(OUR_FAULT); /* the agent has ended */
    if (written(running->task, &task_plan.n, sizeof task_plan.n)) /* otherwise it has ended, and says why */
        (void)written(running->task, task_plan.at, task_plan.n);
    while (n_word < sizeof word && (n = read(running->said, word + n_word, sizeof word - n_word)) > 0) {
        n_word += n;
        if (!word[0] || (n_word == 2 && memcmp(word, "ok", 2) == 0)) /* otherwise more may follow */
            break;
    }
    bool is_ready = n_word > 0 && !word[0];
    add(is_ready ? "ok" : word, is_ready ? 2 : n_word);
    add_number((uint64_t)running->init);
    send_report();
    return is_ready;
}

/* What the agent says before a command, or a server that was held, runs. */
struct turn {
    uint64_t sent, heard; /* numbers of the next frames */
    uint64_t waits;       /* whether it starts with `Started` and `Go` */
    uint64_t at_once;     /* whether its machine runs nothing else */
    uint64_t kill;        /* whether it does not start */
};

static void write_to_group(int group, const char *name, const char *content)
{
    int fd = (int)must(openat(group, name, O_WRONLY | O_CLOEXEC), "opening", name);
    write_whole(fd, content, strlen(content));
    close(fd);
}

/* Have no process of the group run, and wait until none does. */
static void freeze(int group)
{
    char text[256];
    int fd = (int)must(openat(group, "cgroup.events", O_RDONLY | O_CLOEXEC), "opening", "cgroup.events");
    struct pollfd change = {.fd = fd, .events = POLLPRI};
    write_to_group(group, "cgroup.freeze", "1");
    for (;;) {
        text[must(pread(fd, text, sizeof text - 1, 0), "reading", "cgroup.events")] = 0;
        if (strstr(text, "frozen 1"))
            break;
        poll(&change, 1, BUSY);
    }
    close(fd);
}

static void thaw(int group)
{
    write_to_group(group, "cgroup.freeze", "0");
}

/* Let it run from `Go` to its end, or until it holds, as the host says; what is added to the report is what was seen of
   that.  True if it holds. */
static bool follow(const struct running *running, const struct order *order, struct turn turn)
{
    enum heard answer = turn.waits ? NOTHING_YET : EXPECTED;
    int status = 0;

    sent = turn.sent;
    heard = turn.heard;
    n_arriving = 0;
    if (answer == NOTHING_YET)
        send_frame(started);
    while (answer == NOTHING_YET) {
        wait_for_port();
        answer = hear(go);
    }
    bool orderly = answer == EXPECTED;
    take_precedence(true);
    if (order->clock && turn.at_once)
        must(clock_settime(CLOCK_REALTIME, &(struct timespec){.tv_sec = order->clock}), "setting", "the clock");
    write_whole(orderly && !turn.kill ? running->go : running->kill_fd, "1", 1);
    enum seen seen = watch(running, order->output_bytes, turn.at_once);
    if (seen == HELD) {
        freeze(running->group_fd);
        send_frame(loaded);
    } else {
        orderly &= seen == DEAD;
        waitpid(running->init, NULL, 0); /* every process of the command is dead */
    }
    ssize_t n_status = seen == HELD ? 0 : read(running->status, &status, sizeof status);
    answer = n_arriving > 0 ? UNEXPECTED : NOTHING_YET; /* a part of `Kill` */
    if (seen != HELD && orderly) {
        send_frame(exited);
        do {
            wait_for_port(); /* the host has read its counter */
            if (answer == NOTHING_YET)
                answer = hear(counted);
        } while (answer == NOTHING_YET);
    }
    add_number(sent - turn.sent);
    add_number(heard - turn.heard);
    add(arriving, n_arriving);
    if (seen == HELD)
        return true;
    add(&status, n_status == sizeof status ? sizeof status : 0);
    add_number(answer == EXPECTED);
    return false;
}

static bool all_have_date(struct list folders, long seconds)
{
    bool all = true;
    for (int i = 0; i < folders.n; i++)
        all &= has_date(folders.at[i], seconds);
    return all;
}

static bool all_restored(struct list folders, long seconds)
{
    bool all = true;
    for (int i = 0; i < folders.n; i++)
        all &= restore_folder(folders.at[i], seconds);
    return all;
}

/* Hold the IPC namespace of a process in the place of the last one that was held.

   A namespace has a file system of messages, and so a device number, which the kernel gives back some time after its
   last process has ended.  So one that has ended is held until the next command has all of its file systems: these have
   the same numbers then, however fast the kernel is. */
static void hold_ipc(const char *process)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%s/ns/ipc", process);
    move_to(LAST_IPC, opened(AT_FDCWD, path, 0));
}

/* As if there had been a command before the first one. */
static void hold_first_ipc(void)
{
    int own = opened(AT_FDCWD, "/proc/self/ns/ipc", 0);
    must(unshare(CLONE_NEWIPC), "IPC", "namespace");
    hold_ipc("self");
    must(setns(own, CLONE_NEWIPC), "IPC", "namespace");
    close(own);
}

/* All that the plan says.  Returns when nothing is left of the command. */
static void carry_out_plan(void)
{
    struct order order = read_place();
    struct running running = make_place(&order);
    char path[64], process[16], byte;
    struct turn turn;

    while (pass_on(&running))
        ;
    read_task(&order);
    if (!read_whole(ORDERS, &turn, sizeof turn))
        _exit(OUR_FAULT); /* it could not be started, and the agent knows why */
    /* the namespace is held, so that its mounts stay when the last process has ended */
    snprintf(path, sizeof path, "/proc/%d/ns/mnt", (int)running.init);
    must(open(path, O_RDONLY | O_CLOEXEC), "opening", "the mounts of the command");
    snprintf(path, sizeof path, "/proc/%d/root", (int)running.init);
    int root = (int)must(open(path, O_PATH | O_DIRECTORY | O_CLOEXEC), "opening", "the root of the command");
    snprintf(process, sizeof process, "%d", (int)running.init);
    hold_ipc(process);

    while (follow(&running, &order, turn)) {
        send_report();
        if (!read_whole(ORDERS, &turn, sizeof turn))
            _exit(OUR_FAULT); /* the agent has ended */
        if (!turn.kill)
            thaw(running.group_fd);
    }
    take_precedence(false);
    add_stream(&out);
    add_stream(&err);
    add_value(running.group_fd, "memory.events", "\noom_kill ");
    add_value_of(running.pids_events, "pids.events", "max ");
    add_value(running.group_fd, "memory.peak", "");
    add_files(root, order.collect, order.answer_bytes, order.reader);
    send_report();
    if (!read_whole(ORDERS, &byte, 1)) /* until the agent, too, needs the folders no more */
        _exit(OUR_FAULT);

    close_range(3, ORDERS - 1, 0); /* with the namespace, its mounts go */
    steps(order.after);
    must(rmdir(order.group), "removing", order.group);
    if (!all_have_date(order.watched, order.unwritten) || !all_restored(order.restored, order.unwritten)) {
        steps(order.root_changed);
        add("root", strlen("root"));
    } else if (order.home.n > 0 && !restore_home(order.home.at[0], order.home.at[1], order.home.at[2], order.home.at[3],
                                                 order.unwritten)) {
        steps(order.home_changed);
        add("home", strlen("home"));
    }
    send_report();
}

int main(int argc, char **argv)
{
    if (argc > 2)
        hold(argv + 2, strtol(argv[1], NULL, 10));
    for (int fd = ORDERS; fd <= PORT; fd++)
        must(fcntl(fd, F_SETFD, FD_CLOEXEC), "descriptor", "of the agent");
    mlockall(MCL_CURRENT | MCL_ONFAULT); /* it must answer the host even if memory is short */
    umask(0);
    setsid();
    for (int i = 1; i < NSIG; i++)
        signal(i, SIG_DFL); /* and so in every command: the agent ignores some */
    hold_first_ipc();
    watch_sockets("/sys/fs/cgroup");
    drop_bounding_set(0); /* we start no program as root */
    signal(SIGPIPE, SIG_IGN); /* a command may end before it has read its task */
    while (read_part(ORDERS, &place_plan))
        carry_out_plan();
    return 0;
}
