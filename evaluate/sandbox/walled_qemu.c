/*
 * Starts QEMU behind walls of the kernel: libvirt runs this program in QEMU's place, and it becomes QEMU.
 *
 * The variable EVALUATE_WALLS has the orders, with bars between them, by which a process that a guest has taken over is held:
 *
 *     read PATH        what it may read, a file or a folder with all that is in it
 *     write PATH       what it may read and write
 *     show PATH        a folder in which some of these are, and sockets that it may connect to
 *     user UID GID     whom it becomes: numbers that its user has in /etc/subuid and /etc/subgid
 *     group PATH       the folder of the control group that it enters, which bounds its memory, threads, processors, disks
 *     memory PATH      the socket at which it gets the file of the guest's memory, which QEMU has open under a fixed number
 *
 * It gets a root of its own, in which there is nothing else than these, libraries and a few devices; namespaces of its
 * own for users, mounts, IPC, host name, control groups and a network that has nothing, not even an address; no new
 * privileges; Landlock (if the kernel has it) for files, TCP, signals and abstract sockets; and a filter of system calls,
 * which leaves sockets of the file system alone: those of virtual machines (AF_VSOCK) are in no namespace, and io_uring
 * opens any kind beside a filter.
 * It keeps its process number, by which libvirt and the supervisor know it.  Without the variable, as when libvirt asks
 * what QEMU can do, it only becomes QEMU.  Any step that fails ends it: no guest runs without its walls.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef QEMU
#error "-DQEMU: the program that this one becomes"
#endif
#define ORDERS "EVALUATE_WALLS"
#define BETWEEN "|"

enum { MEMORY = 200 }; /* the number in evaluate/sandbox/memory_medium.py */

/* of linux/landlock.h, which may be older than the kernel */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446, PATH_BENEATH = 1, VERSION = 1 };
enum { EXECUTE = 1 << 0, WRITE_FILE = 1 << 1, READ_FILE = 1 << 2, READ_DIR = 1 << 3, TRUNCATE = 1 << 14, IOCTL_DEV = 1 << 15 };
struct ruleset { uint64_t files, network, scoped; };
struct rule { uint64_t allowed; int32_t parent; } __attribute__((packed));

static const char *const SYSTEM[] = {
    "/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/filesystems",
    "/proc/sys/vm", "/sys/devices/system", "/sys/module/kvm_intel", "/sys/module/kvm_amd", NULL};
static const char *const SHOWN[] = {
    "/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/proc", "/sys/devices/system", "/sys/module", NULL};
static const char *const DEVICES[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/urandom", "/dev/random", "/dev/kvm", NULL};

static void fail(const char *what)
{
    fprintf(stderr, "the walls of this guest: %s: %s\n", what, strerror(errno));
    _exit(126);
}

static void write_text(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);

    if (file < 0 || write(file, text, strlen(text)) != (ssize_t)strlen(text))
        fail(path);
    close(file);
}

/* The path of an order that is given at most once, with an end to it; 0 if it is not given. */
static int path_of(const char *orders, const char *order, const char *end, char *path, size_t size)
{
    const char *found = strstr(orders, order);

    while (found && found != orders && found[-1] != *BETWEEN)
        found = strstr(found + 1, order);
    if (!found)
        return 0;
    found += strlen(order);
    errno = ENAMETOOLONG;
    if (snprintf(path, size, "%.*s%s", (int)strcspn(found, BETWEEN), found, end) >= (int)size)
        fail(order);
    return 1;
}

/* Before anything else, so that all it ever uses is counted there. */
static void enter_group(const char *orders)
{
    char path[4096];

    if (path_of(orders, "group ", "/cgroup.procs", path, sizeof path))
        write_text(path, "0");
}

/* Take the file of the guest's memory, which has no name, from the supervisor. */
static void take_memory(const char *orders)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } rights;
    char byte;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &rights, .msg_controllen = sizeof rights};
    int end, file;

    if (!path_of(orders, "memory ", "", address.sun_path, sizeof address.sun_path))
        return;
    if ((end = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) < 0 || connect(end, (void *)&address, sizeof address))
        fail("the guest's memory");
    errno = EPROTO;
    if (recvmsg(end, &message, MSG_CMSG_CLOEXEC) != 1 || !CMSG_FIRSTHDR(&message) || rights.header.cmsg_type != SCM_RIGHTS ||
        rights.header.cmsg_len != CMSG_LEN(sizeof file))
        fail("the guest's memory");
    memcpy(&file, CMSG_DATA(&rights.header), sizeof file);
    if (dup2(file, MEMORY) != MEMORY)
        fail("the guest's memory");
    close(file);
    close(end);
}

static int run(const char *program, const char *process, const char *own, const char *sub)
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        execlp(program, program, process, "0", own, "1", "1", sub, "1", (char *)NULL);
        fail(program);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* A helper outside of the new namespace gives the process its numbers: only programs with rights of their own can. */
static pid_t mapper(unsigned user, unsigned group, int *start)
{
    int go[2];
    char process[16], own_user[16], own_group[16], sub_user[16], sub_group[16], byte;
    pid_t child;

    snprintf(process, sizeof process, "%d", (int)getpid());
    snprintf(own_user, sizeof own_user, "%u", (unsigned)getuid());
    snprintf(own_group, sizeof own_group, "%u", (unsigned)getgid());
    snprintf(sub_user, sizeof sub_user, "%u", user);
    snprintf(sub_group, sizeof sub_group, "%u", group);
    if (pipe2(go, O_CLOEXEC) || (child = fork()) < 0)
        fail("starting a helper");
    if (child == 0) {
        close(go[1]);
        if (read(go[0], &byte, 1) != 1)
            _exit(1);
        _exit(!(run("newuidmap", process, own_user, sub_user) && run("newgidmap", process, own_group, sub_group)));
    }
    close(go[0]);
    *start = go[1];
    return child;
}

static void new_root(const char *orders);

static void enter_namespaces(const char *orders, unsigned user, unsigned group)
{
    const int kinds = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
    unsigned uid = getuid(), gid = getgid();
    int start = -1, status;
    char text[64];
    pid_t helper = user ? mapper(user, group, &start) : 0;

    if (unshare(kinds))
        fail("namespaces of its own");
    if (!user) {
        write_text("/proc/self/setgroups", "deny");
        snprintf(text, sizeof text, "%u %u 1\n", uid, uid);
        write_text("/proc/self/uid_map", text);
        snprintf(text, sizeof text, "%u %u 1\n", gid, gid);
        write_text("/proc/self/gid_map", text);
        new_root(orders);
        return;
    }
    if (write(start, "g", 1) != 1 || waitpid(helper, &status, 0) != helper || status != 0) {
        errno = EPERM;
        fail("a user number of its own (newuidmap and newgidmap, /etc/subuid and /etc/subgid)");
    }
    close(start);
    new_root(orders);
    if (access("/dev/kvm", R_OK | W_OK) != 0 && setgroups(0, NULL)) /* its group is what opens the device */
        fail("leaving the groups of its user");
    if (setresgid(1, 1, 1) || setresuid(1, 1, 1))
        fail("becoming a user of its own");
}

/* Make what is above a place, and the place itself, as a file or a folder. */
static void make_place(char *place, int is_folder)
{
    for (char *end = place + 1; (end = strchr(end, '/')); end++) {
        *end = 0;
        if (mkdir(place, 0755) && errno != EEXIST)
            fail(place);
        *end = '/';
    }
    if (is_folder ? mkdir(place, 0755) : mknod(place, S_IFREG | 0444, 0))
        if (errno != EEXIST)
            fail(place);
}

/* Have a path of the host in the new root, if it exists; what lies in a folder that is there already, is there. */
static void show(int root, const char *path)
{
    char place[4096], target[4096];
    struct stat status;
    ssize_t length;

    if (snprintf(place, sizeof place, "./%s", path) >= (int)sizeof place)
        fail(path);
    if (lstat(path, &status))
        return;
    if (fchdir(root))
        fail("the new root");
    if (access(place, F_OK) == 0)
        return;
    if (S_ISLNK(status.st_mode) && path[1] && !strchr(path + 1, '/')) { /* /lib in Debian */
        if ((length = readlink(path, target, sizeof target - 1)) < 0)
            fail(path);
        target[length] = 0;
        if (symlink(target, place))
            fail(path);
        return;
    }
    if (stat(path, &status))
        return;
    make_place(place, S_ISDIR(status.st_mode));
    if (mount(path, place, NULL, MS_BIND | (S_ISDIR(status.st_mode) ? MS_REC : 0), NULL))
        fail(path);
}

/* An empty folder to put the new root together in, which covers none of what is to be shown. */
static const char *free_place(const char *orders)
{
    static const char *const PLACES[] = {"/mnt", "/media", "/srv", "/opt", "/home", "/boot", "/tmp", "/run", NULL};
    char inside[16];

    for (const char *const *place = PLACES; *place; place++) {
        snprintf(inside, sizeof inside, " %s/", *place);
        if (access(*place, F_OK) == 0 && !strstr(orders, inside))
            return *place;
    }
    errno = ENOTDIR;
    fail("a place for a root of its own");
    return NULL;
}

static void new_root(const char *orders)
{
    const char *place = free_place(orders);
    char *copy = strdup(orders);
    int root;

    if (!copy || mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL))
        fail("mounts of its own");
    if (mount("root", place, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=1m"))
        fail("a root of its own");
    if ((root = open(place, O_PATH | O_DIRECTORY | O_CLOEXEC)) < 0)
        fail("a root of its own");
    for (const char *const *path = SHOWN; *path; path++)
        show(root, *path);
    for (const char *const *path = DEVICES; *path; path++)
        show(root, *path);
    for (char *line = strtok(copy, BETWEEN); line; line = strtok(NULL, BETWEEN))
        if ((strncmp(line, "read ", 5) == 0 || strncmp(line, "write ", 6) == 0 || strncmp(line, "show ", 5) == 0) &&
            strchr(line, '/'))
            show(root, strchr(line, '/'));
    if (fchdir(root) || syscall(SYS_pivot_root, ".", ".") || umount2(".", MNT_DETACH) || chdir("/"))
        fail("a root of its own");
    close(root);
    free(copy);
}

static void allow(int rules, const char *path, uint64_t access, uint64_t handled)
{
    struct stat status;
    struct rule rule = {.parent = open(path, O_PATH | O_CLOEXEC)};

    if (rule.parent < 0) {
        if (errno == ENOENT)
            return;
        fail(path);
    }
    if (fstat(rule.parent, &status))
        fail(path);
    rule.allowed = access & handled & (S_ISDIR(status.st_mode) ? ~0ULL : ~(uint64_t)READ_DIR);
    if (syscall(ADD_RULE, rules, PATH_BENEATH, &rule, 0))
        fail(path);
    close(rule.parent);
}

static void landlock(char *orders)
{
    long version = syscall(CREATE_RULESET, NULL, 0, VERSION);
    const uint64_t reads = EXECUTE | READ_FILE | READ_DIR, writes = READ_FILE | WRITE_FILE | TRUNCATE | IOCTL_DEV;
    struct ruleset set = {.files = (1 << 13) - 1};
    size_t size = sizeof set.files;
    int rules;

    if (version < 1)
        return; /* this kernel has none */
    if (version >= 2)
        set.files = (1 << (version >= 5 ? 16 : version >= 3 ? 15 : 14)) - 1;
    if (version >= 4) {
        set.network = 3; /* binding and connecting TCP sockets */
        size += sizeof set.network;
    }
    if (version >= 6) {
        set.scoped = 3; /* abstract sockets and signals of others */
        size += sizeof set.scoped;
    }
    if ((rules = (int)syscall(CREATE_RULESET, &set, size, 0)) < 0)
        fail("Landlock");
    for (const char *const *path = SYSTEM; *path; path++)
        allow(rules, *path, reads, set.files);
    for (const char *const *path = DEVICES; *path; path++)
        allow(rules, *path, writes, set.files);
    for (char *line = strtok(orders, BETWEEN); line; line = strtok(NULL, BETWEEN)) {
        if (strncmp(line, "read ", 5) == 0)
            allow(rules, line + 5, reads, set.files);
        if (strncmp(line, "write ", 6) == 0)
            allow(rules, line + 6, writes, set.files);
    }
    if (syscall(RESTRICT_SELF, rules, 0))
        fail("Landlock");
    close(rules);
}

#if defined(__x86_64__)
enum { MACHINE = (int)AUDIT_ARCH_X86_64, OTHER_CALLS = 0x40000000 }; /* where those of x32 begin */
#elif defined(__aarch64__)
enum { MACHINE = (int)AUDIT_ARCH_AARCH64, OTHER_CALLS = 0x40000000 };
#else
#error "the filter of system calls does not know this processor"
#endif
enum { IO_URING_SETUP = 425, IO_URING_REGISTER = 427 };

/* No socket but those of the file system, and no io_uring; QEMU adds its own filter to this one. */
static void refuse_calls(void)
{
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 0, 9),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, OTHER_CALLS, 7, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socketpair, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, IO_URING_SETUP, 0, 3),
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, IO_URING_REGISTER, 2, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    };
    struct sock_fprog program = {.len = sizeof steps / sizeof *steps, .filter = steps};

    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        fail("a filter of system calls");
}

/* libvirt's key for secrets, of which our guests have none: another user could not read its file. */
static void drop_key(char **argv)
{
    char **to = argv;

    for (; *argv; argv++)
        if (strcmp(*argv, "-object") == 0 && argv[1] && strstr(argv[1], "\"masterKey0\""))
            argv++;
        else
            *to++ = *argv;
    *to = NULL;
}

int main(int argc, char **argv)
{
    unsigned user = 0, group = 0;
    char *found = getenv(ORDERS), *orders = found ? strdup(found) : NULL, *line;

    (void)argc;
    if (orders) {
        if ((line = strstr(orders, "user ")) && (line == orders || line[-1] == *BETWEEN))
            sscanf(line, "user %u %u", &user, &group);
        unsetenv(ORDERS);
        drop_key(argv);
        enter_group(orders);
        take_memory(orders);
        enter_namespaces(orders, user, group);
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
            fail("no new privileges");
        landlock(orders);
        refuse_calls();
    }
    execv(QEMU, argv);
    fail(QEMU);
}
