/*
 * Plays QEMU for the counting plugin, which is installed with the options of the command line: with both versions of the
 * interface, since a machine has one QEMU.  The first argument is the number of the processor that runs the program.
 *
 * A program comes to a block of three instructions and faults at the third.  Then the kernel's block comes, which halts: in
 * a thread, while this one, the main thread, works for a while and then sleeps.  Prints what the main thread did when the
 * processor had halted: "running" or "asleep".
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define WORKS_SECONDS 0.2 /* of the processor */

typedef void (*callback)(unsigned int, void *);
struct info {
    const char *target;
    int version[2];
};

int qemu_plugin_install(uint64_t, const struct info *, int, char **);

enum { USER_BLOCK = 1, KERNEL_BLOCK, INSNS = 3, FAULTS_AT = 3 };
static int blocks[] = {0, USER_BLOCK, KERNEL_BLOCK};
static int insns[INSNS + 1] = {0, 1, 2, 3};

static void (*begins)(uint64_t, unsigned int);
static void (*translate)(uint64_t, void *);
static callback halt;
static atomic_int halted;
static unsigned vcpu;

void qemu_plugin_register_vcpu_init_cb(uint64_t id, void (*found)(uint64_t, unsigned int))
{
    (void)id;
    begins = found;
}

void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*found)(uint64_t, void *))
{
    (void)id;
    translate = found;
}

size_t qemu_plugin_tb_n_insns(const void *tb)
{
    (void)tb;
    return INSNS;
}

uint64_t qemu_plugin_tb_vaddr(const void *tb)
{
    return *(const int *)tb == KERNEL_BLOCK ? UINT64_MAX : 0x400000;
}

/* What the plugin asks for in a block is done at once, as if the block ran once. */
void qemu_plugin_register_vcpu_tb_exec_inline(void *tb, int op, void *word, uint64_t n)
{
    (void)tb, (void)op;
    *(uint64_t *)word += n;
}

void qemu_plugin_register_vcpu_insn_exec_inline(void *insn, int op, void *word, uint64_t n)
{
    (void)op;
    if (*(const int *)insn < FAULTS_AT)
        *(uint64_t *)word += n;
}

/* Version 2 adds to a scoreboard, which has a part for each of at least 16 processors. */
struct scoreboard {
    char *data;
    size_t size;
};
struct entry {
    struct scoreboard *score;
    size_t offset;
};

struct scoreboard *qemu_plugin_scoreboard_new(size_t element_size)
{
    struct scoreboard *score = malloc(sizeof *score);

    score->data = calloc(16, element_size);
    score->size = element_size;
    return score;
}

void *qemu_plugin_scoreboard_find(struct scoreboard *score, unsigned int wanted)
{
    return score->data + wanted * score->size;
}

void qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(void *tb, int op, struct entry entry, uint64_t n)
{
    qemu_plugin_register_vcpu_tb_exec_inline(tb, op, entry.score->data + vcpu * entry.score->size + entry.offset, n);
}

void qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(void *insn, int op, struct entry entry, uint64_t n)
{
    qemu_plugin_register_vcpu_insn_exec_inline(insn, op, entry.score->data + vcpu * entry.score->size + entry.offset, n);
}

uint64_t qemu_plugin_insn_vaddr(const void *insn)
{
    return 0x400000 + (uint64_t)*(const int *)insn;
}

void qemu_plugin_register_vcpu_tb_exec_cb(void *tb, callback found, int flags, void *data)
{
    (void)tb, (void)flags;
    found(vcpu, data);
}

void *qemu_plugin_tb_get_insn(const void *tb, size_t i)
{
    (void)tb;
    return &insns[i + 1];
}

size_t qemu_plugin_insn_size(const void *insn)
{
    (void)insn;
    return 1;
}

const void *qemu_plugin_insn_data(const void *insn)
{
    static const unsigned char hlt = 0xf4;

    (void)insn;
    return &hlt;
}

void qemu_plugin_register_vcpu_insn_exec_cb(void *insn, callback found, int flags, void *data)
{
    (void)insn, (void)flags, (void)data;
    halt = found;
}

static void *processor(void *nothing)
{
    halt(vcpu, NULL);
    atomic_store(&halted, 1);
    return nothing;
}

static double worked(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    struct info info = {"x86_64", {1, 1}};
    pthread_t thread;
    int seen = 0;

    if (argc < 2 || qemu_plugin_install(1, &info, argc - 2, argv + 2) != 0)
        return 1;
    vcpu = (unsigned)atoi(argv[1]);
    for (unsigned i = 0; i <= vcpu; i++)
        begins(1, i);
    translate(1, &blocks[USER_BLOCK]);
    translate(1, &blocks[KERNEL_BLOCK]);
    if (pthread_create(&thread, NULL, processor, NULL) != 0)
        return 1;
    for (double end = worked() + WORKS_SECONDS; worked() < end && !seen;)
        seen = atomic_load(&halted);
    pthread_join(thread, NULL);
    puts(seen ? "running" : "asleep");
    return 0;
}
