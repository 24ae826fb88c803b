/*
 * tcg_count: a QEMU TCG plugin that counts the instructions a one-processor guest retires.
 *
 * Two 64-bit words in a shared file mapping, user mode first, then kernel mode, which the supervisor reads at
 * any time.  A translated block counts as a whole when it is entered: user or kernel is the top bit of its
 * virtual address (x86-64 Linux), so a block costs one inline add and no call.
 *
 *     -plugin libtcg_count.so,words=PATH
 *
 * PATH is an existing file of at least 16 bytes.  Debian does not package QEMU's plugin header; the few symbols
 * that are needed are declared here (QEMU documentation, devel/tcg-plugins).  Compiled with -DAPI_VERSION=1 for
 * QEMU below 9.0.  Version 2 removed the inline add on a plain pointer: there a callback per block adds, which
 * costs more time and counts the same.
 */
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
typedef void (*tb_trans_cb)(qemu_plugin_id_t, struct qemu_plugin_tb *);
typedef void (*vcpu_udata_cb)(unsigned int, void *);

enum { INLINE_ADD_U64 = 0, NO_REGISTERS = 0 };

extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, tb_trans_cb);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
extern uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *);

#if API_VERSION == 1
extern void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *, int op, void *word, uint64_t add);
#else
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, vcpu_udata_cb, int flags, void *);
#endif

EXPORT int qemu_plugin_version = API_VERSION;

static uint64_t *words; /* [0] user, [1] kernel */

static int in_kernel(const struct qemu_plugin_tb *tb)
{
    return (int)(qemu_plugin_tb_vaddr(tb) >> 63);
}

#if API_VERSION != 1
static void count_user(unsigned int vcpu, void *n)
{
    (void)vcpu;
    words[0] += (uintptr_t)n;
}

static void count_kernel(unsigned int vcpu, void *n)
{
    (void)vcpu;
    words[1] += (uintptr_t)n;
}
#endif

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    size_t n = qemu_plugin_tb_n_insns(tb);
    int kernel = in_kernel(tb);

    (void)id;
#if API_VERSION == 1
    qemu_plugin_register_vcpu_tb_exec_inline(tb, INLINE_ADD_U64, &words[kernel], n);
#else
    qemu_plugin_register_vcpu_tb_exec_cb(tb, kernel ? count_kernel : count_user, NO_REGISTERS, (void *)(uintptr_t)n);
#endif
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv)
{
    const char *path = NULL;
    int fd;

    (void)info;
    for (int i = 0; i < argc; i++)
        if (strncmp(argv[i], "words=", 6) == 0)
            path = argv[i] + 6;
    if (!path) {
        fprintf(stderr, "tcg_count: wants words=PATH\n");
        return -1;
    }
    fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd >= 0)
        words = mmap(NULL, 2 * sizeof *words, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd < 0 || words == MAP_FAILED) {
        perror(path);
        return -1;
    }
    close(fd);
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    return 0;
}
