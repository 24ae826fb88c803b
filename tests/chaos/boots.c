/*
 * A QEMU plugin that stops a guest each time that it has executed so many instructions more, and has it wait at each store
 * to a device until every other thread of QEMU sleeps: what a device does then comes at the same instruction in each boot.
 *
 *     -plugin boots.so,socket=PATH,step=N,waits=0|1
 *
 * At each stop it sends three 64-bit words: the instructions so far, the address of the last one, and a hash over the
 * addresses of all; it goes on when it gets a byte.  For QEMU below 9.0.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
enum { NO_REGISTERS = 0, STORES = 2, CALM = 3 };

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t memory_access;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_plugin_hwaddr;
extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, struct qemu_plugin_tb *));
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
extern void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *, void (*)(unsigned, void *), int, void *);
extern void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *, void (*)(unsigned, memory_access, uint64_t, void *), int,
                                             int, void *);
extern struct qemu_plugin_hwaddr *qemu_plugin_get_hwaddr(memory_access, uint64_t);
extern _Bool qemu_plugin_hwaddr_is_io(const struct qemu_plugin_hwaddr *);

EXPORT int qemu_plugin_version = 1;
static uint64_t executed, next, step, path = 14695981039346656037ULL;
static int supervisor = -1, waits;

/* Whether every other thread waits in a system call, as the kernel tells (proc(5)). */
static int calm(void)
{
    char name[64], does[8];
    long own = syscall(SYS_gettid);
    int found = 1;
    struct dirent *one;
    DIR *threads = opendir("/proc/self/task");

    while (found && threads && (one = readdir(threads))) {
        if (one->d_name[0] == '.' || atol(one->d_name) == own)
            continue;
        snprintf(name, sizeof name, "/proc/self/task/%.20s/syscall", one->d_name);
        int fd = open(name, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            continue;
        found = !(read(fd, does, 7) == 7 && memcmp(does, "running", 7) == 0);
        close(fd);
    }
    if (threads)
        closedir(threads);
    return found;
}

static void stores(unsigned vcpu, memory_access how, uint64_t address, void *data)
{
    struct qemu_plugin_hwaddr *place = qemu_plugin_get_hwaddr(how, address);

    (void)vcpu, (void)data;
    if (place && qemu_plugin_hwaddr_is_io(place))
        for (int times = 0; times < CALM; sched_yield())
            times = calm() ? times + 1 : 0;
}

static void executes(unsigned vcpu, void *address)
{
    char byte;

    (void)vcpu;
    executed++;
    path = (path ^ (uint64_t)address) * 1099511628211ULL;
    if (executed < next)
        return;
    uint64_t told[] = {executed, (uint64_t)address, path};
    next += step;
    if (send(supervisor, told, sizeof told, MSG_NOSIGNAL) == sizeof told)
        while (recv(supervisor, &byte, 1, 0) < 0 && errno == EINTR)
            ;
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        if (waits)
            qemu_plugin_register_vcpu_mem_cb(insn, stores, NO_REGISTERS, STORES, NULL);
        qemu_plugin_register_vcpu_insn_exec_cb(insn, executes, NO_REGISTERS, (void *)qemu_plugin_insn_vaddr(insn));
    }
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv)
{
    struct sockaddr_un place = {.sun_family = AF_UNIX};

    (void)info;
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "step=", 5) == 0)
            next = step = strtoull(argv[i] + 5, NULL, 0);
        if (strncmp(argv[i], "waits=", 6) == 0)
            waits = atoi(argv[i] + 6);
        if (strncmp(argv[i], "socket=", 7) == 0)
            strncpy(place.sun_path, argv[i] + 7, sizeof place.sun_path - 1);
    }
    supervisor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (!step || connect(supervisor, (void *)&place, sizeof place) < 0)
        return -1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    return 0;
}
