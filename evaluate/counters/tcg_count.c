/*
 * tcg_count: a QEMU TCG plugin that counts the instructions that a guest retires.
 *
 * Three 64-bit words in a shared file mapping, which the supervisor reads at any time: the instructions of user mode, what
 * they were when the guest's kernel last had nothing to run, and halted the processor, and what they were at the mark.
 * While the first two are equal, no program of the guest has run since.  A translated block counts as a whole when it is entered: user or kernel is the top
 * bit of its virtual address (x86-64 Linux), so a block of a program costs one inline add and no call.  An instruction that
 * faults is executed again: it and the rest of its block count twice.
 *
 * A string instruction with a REP prefix counts once, as hardware counts it: QEMU comes to it for each iteration, which is
 * a further one if no instruction of user mode was counted since.  So one that is interrupted counts again if
 * another program runs meanwhile.
 *
 *     -plugin libtcg_count.so,words=PATH[,buckets=PATH][,exact=on][,gate=PATH,gate-at=ADDRESS[,memory=PATH]][,mark-at=ADDRESS]
 *
 * PATH is an existing file of at least 24 bytes, and of a page (4096 bytes) more for each further processor of the guest,
 * which has its own first two words at the begin of its page: the count of the guest is the sum, and the mark gets that.
 * QEMU runs each processor in a thread of its own, and only that one adds to its words, so that nothing is lost.
 *
 * The second file, if given, gets where user instructions were retired: a table of pairs of 64-bit words, the virtual
 * address of the code divided by 64, and a count, in no order; unused pairs are zero.  The file's size is the table's.
 * What does not fit into it is counted under the address 2^64 - 1, the last pair of the table.  Addresses are those of the
 * running program: two programs may have the same ones.  Several processors add to the same pairs, and when two do so at
 * once, one is lost.
 *
 * exact=on is for a guest of one processor under -icount sleep=off:
 *
 * - Each instruction counts when it is begun, one that faults each time.  Where a block ends depends on when the timer
 *   interrupts it, and with it what a fault in a block adds.  A program is left in the middle of a block only by an
 *   instruction that faults.  So one that may is counted together with those before it that cannot, at the first of them:
 *   they are begun if that one is.  What cannot fault is a list of instructions on registers and constants; all others
 *   may.
 * - The processor halts only while QEMU's main thread sleeps.  That thread moves the guest's clock on to its next timer as
 *   soon as the processor has halted.  QEMU marks it as halted a moment before it adds the last instructions to the clock
 *   (do_hlt, then icount_process_data): were the main thread to look in between, as it does once in some ten thousand
 *   halts, the clock would be ahead by the time of these instructions.
 *
 * Where the guest first comes to ADDRESS (in a way that C's strtoull understands) it stands still, clock included, until
 * the supervisor lets it go on: the plugin sends a byte to the listening socket at the gate's PATH, and waits for two
 * 64-bit words that are zero, or for the supervisor to hang up.  With memory=PATH, the file that QEMU maps as the guest's
 * memory, two other words may come first: a place in this file, and a length, and then as many bytes, which are written there
 * in QEMU's mapping, so that the guest has them even if its mapping is a private one.
 *
 * When the guest comes to the address of the mark, after it has passed the gate if it has one, and the third word is zero,
 * that gets its count: from there on a command runs, and it cannot have run before.  Only the first time counts, since the
 * command may come there again; the supervisor writes zero before it has the guest start another command.
 *
 * Debian does not package QEMU's plugin header; the few symbols that are needed are declared here (QEMU documentation,
 * devel/tcg-plugins).  Compiled with -DAPI_VERSION=1 for QEMU below 9.0.  Version 2 adds inline only to "scoreboards",
 * memory that QEMU allocates for all processors, at first for 16: the files are mapped into the part of each.  Version 1
 * adds inline to one address, whatever processor it is, so that with several threads a block calls a function in its place.
 */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
typedef void (*tb_trans_cb)(qemu_plugin_id_t, struct qemu_plugin_tb *);
typedef void (*vcpu_simple_cb)(qemu_plugin_id_t, unsigned int);
typedef void (*vcpu_udata_cb)(unsigned int, void *);

struct qemu_plugin_insn;
struct info { /* the beginning of ``qemu_info_t`` */
    const char *target;
    struct {
        int min, current;
    } api;
};

enum { INLINE_ADD_U64 = 0, NO_REGISTERS = 0, BUCKET_BITS = 6, MOST_VCPUS = 16 };
enum { HALT = 0xf4 }; /* the only byte of the instruction */
enum { PAGE = 4096, MOST_BYTES = 15, REPNE = 0xf2, REP = 0xf3 };

extern void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t, vcpu_simple_cb);
extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, tb_trans_cb);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
extern uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *);

#if API_VERSION == 1
extern void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *, int op, void *word, uint64_t add);
extern void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *, int op, void *word, uint64_t add);
#else
struct qemu_plugin_scoreboard;
struct entry { /* ``qemu_plugin_u64`` */
    struct qemu_plugin_scoreboard *score;
    size_t offset;
};
extern struct qemu_plugin_scoreboard *qemu_plugin_scoreboard_new(size_t element_size);
extern void *qemu_plugin_scoreboard_find(struct qemu_plugin_scoreboard *, unsigned int vcpu);
extern void qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(struct qemu_plugin_tb *, int op, struct entry, uint64_t add);
extern void qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(struct qemu_plugin_insn *, int op, struct entry,
                                                                uint64_t add);
#endif
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, vcpu_udata_cb, int flags, void *);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
extern size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *);
extern void qemu_plugin_insn_data(void); /* of one of the two types below */
typedef const void *(*insn_bytes)(const struct qemu_plugin_insn *);
typedef size_t (*insn_bytes_from_3)(const struct qemu_plugin_insn *, void *, size_t);
extern void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *, vcpu_udata_cb, int flags, void *);

EXPORT int qemu_plugin_version = API_VERSION;

enum { USER, AT_HALT, AT_MARK, WORDS };
static struct file {
    int fd; /* -1: not wanted */
    size_t size;
} words_file = {-1, 0}, buckets_file = {-1, 0};
static uint64_t *words[MOST_VCPUS]; /* of each processor, mapped from their file when there is one, as the next one */
static size_t n_vcpus;
static int api; /* QEMU's version of the interface, which may be newer than ours */

struct bucket {
    uint64_t address, count;
};
static struct bucket *buckets; /* NULL: not wanted */
static size_t n_buckets;
static int gate = -1;        /* the connection to the supervisor, until the guest has passed */
static ino_t memory;         /* the file of the guest's memory; 0: the supervisor writes nothing to it */
static uint64_t gate_at, mark_at;
static int main_thread = -1; /* what it does, as the kernel tells; of an exact guest only */
static pthread_mutex_t finding = PTHREAD_MUTEX_INITIALIZER; /* of buckets */

/* A string instruction with its prefix. */
struct string {
    uint64_t address;
    struct bucket *bucket; /* NULL: not wanted */
};
static struct {
    uint64_t at, count;
} string_of[MOST_VCPUS]; /* the one that a processor has begun last, and its count since then */

/* QEMU ends if this fails: what runs would not be counted. */
static void *map(const struct file *file, void *place, size_t size, size_t from)
{
    int flags = MAP_SHARED | (place ? MAP_FIXED : 0);
    void *found = mmap(place, size, PROT_READ | PROT_WRITE, flags, file->fd, (off_t)from);

    if (found == MAP_FAILED) {
        fprintf(stderr, "tcg_count: the counts cannot be mapped: %s\n", strerror(errno));
        _exit(1);
    }
    return found;
}

#if API_VERSION == 1

static void map_files(void)
{
    uint64_t *first = map(&words_file, NULL, words_file.size, 0);

    for (size_t i = 0; i < n_vcpus; i++)
        words[i] = first + i * PAGE / sizeof *first;
    if (buckets_file.fd >= 0)
        buckets = map(&buckets_file, NULL, buckets_file.size, 0);
}

static void enters(unsigned int vcpu, void *n)
{
    __atomic_store_n(&words[vcpu][USER], words[vcpu][USER] + (uintptr_t)n, __ATOMIC_RELAXED);
}

static void add(struct qemu_plugin_tb *tb, uint64_t *word, size_t n)
{
    if (n_vcpus > 1 && word == &words[0][USER])
        qemu_plugin_register_vcpu_tb_exec_cb(tb, enters, NO_REGISTERS, (void *)(uintptr_t)n);
    else
        qemu_plugin_register_vcpu_tb_exec_inline(tb, INLINE_ADD_U64, word, n);
}

static void add_at(struct qemu_plugin_insn *insn, uint64_t *word, size_t n)
{
    qemu_plugin_register_vcpu_insn_exec_inline(insn, INLINE_ADD_U64, word, n);
}

#else

static struct board {
    struct qemu_plugin_scoreboard *score;
    size_t size;
} boards[2]; /* one for each file */
static int n_boards;

/* The part of the first processor; those of the others follow. */
static char *begin_of(const struct board *board)
{
    return qemu_plugin_scoreboard_find(board->score, 0);
}

/* Map so much of a file for each processor, from a place that is so much further for each. */
static char *map_for_each(const struct file *file, size_t size, size_t further)
{
    struct board *board = &boards[n_boards++];
    char *first;

    board->size = (size + PAGE - 1) / PAGE * PAGE + PAGE; /* the file's pages, wherever the first one begins */
    board->score = qemu_plugin_scoreboard_new(board->size);
    first = begin_of(board) + (-(uintptr_t)begin_of(board) & (PAGE - 1));
    for (size_t i = 0; i < n_vcpus; i++)
        map(file, first + i * board->size, size, i * further);
    return first;
}

static void map_files(void)
{
    char *first = map_for_each(&words_file, WORDS * sizeof *words[0], PAGE);

    for (size_t i = 0; i < n_vcpus; i++)
        words[i] = (void *)(first + i * boards[0].size);
    if (buckets_file.fd >= 0)
        buckets = (void *)map_for_each(&buckets_file, buckets_file.size, 0);
}

static struct entry entry_of(const uint64_t *word)
{
    const struct board *board = boards;

    while ((uintptr_t)word - (uintptr_t)begin_of(board) >= board->size)
        board++;
    return (struct entry){board->score, (uintptr_t)word - (uintptr_t)begin_of(board)};
}

static void add(struct qemu_plugin_tb *tb, uint64_t *word, size_t n)
{
    qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(tb, INLINE_ADD_U64, entry_of(word), n);
}

static void add_at(struct qemu_plugin_insn *insn, uint64_t *word, size_t n)
{
    qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(insn, INLINE_ADD_U64, entry_of(word), n);
}

#endif

static int in_kernel(const struct qemu_plugin_tb *tb)
{
    return (int)(qemu_plugin_tb_vaddr(tb) >> 63);
}

/* The bucket of an address; only called while a block is translated. */
static struct bucket *bucket_of(uint64_t address)
{
    uint64_t wanted = address >> BUCKET_BITS;
    struct bucket *found = &buckets[n_buckets - 1];

    pthread_mutex_lock(&finding);
    for (size_t i = 0; i < n_buckets - 1; i++) {
        struct bucket *bucket = &buckets[(wanted * 0x9E3779B97F4A7C15U + i) % (n_buckets - 1)];
        if (bucket->address == wanted || bucket->address == 0) {
            found = bucket;
            break;
        }
    }
    found->address = found == &buckets[n_buckets - 1] ? UINT64_MAX : wanted;
    pthread_mutex_unlock(&finding);
    return found;
}

/* The first bytes of an instruction; how many. */
static size_t bytes_of(const struct qemu_plugin_insn *insn, unsigned char *bytes, size_t most)
{
    insn_bytes found = (insn_bytes)qemu_plugin_insn_data;
    insn_bytes_from_3 copied = (insn_bytes_from_3)qemu_plugin_insn_data;
    size_t n = qemu_plugin_insn_size(insn);

    n = n < most ? n : most;
    if (api >= 3)
        copied(insn, bytes, n);
    else
        memcpy(bytes, found(insn), n);
    return n;
}

/* Whether it is ins, outs, movs, cmps, stos, lods or scas after F2 or F3, with other prefixes in any order. */
static int is_repeated(const struct qemu_plugin_insn *insn)
{
    unsigned char bytes[MOST_BYTES];
    size_t n = bytes_of(insn, bytes, sizeof bytes), i = 0;
    int rep = 0;

    while (i < n && memchr("\x26\x2e\x36\x3e\x64\x65\x66\x67\xf0\xf2\xf3", bytes[i], 11)) {
        rep |= bytes[i] == REP || bytes[i] == REPNE;
        i++;
    }
    if (i < n && (bytes[i] & 0xf0) == 0x40) /* REX */
        i++;
    if (!rep || i + 1 != n)
        return 0;
    return memchr("\x6c\x6d\x6e\x6f\xa4\xa5\xa6\xa7\xaa\xab\xac\xad\xae\xaf", bytes[i], 14) != NULL;
}

static void iterates(unsigned int vcpu, void *data)
{
    const struct string *string = data;
    uint64_t *count = &words[vcpu][USER];

    if (string_of[vcpu].at == string->address && string_of[vcpu].count == *count)
        return;
    __atomic_store_n(count, *count + 1, __ATOMIC_RELAXED);
    if (string->bucket)
        string->bucket->count++;
    string_of[vcpu].at = string->address;
    string_of[vcpu].count = *count;
}

/* Never freed, as what follows: some bytes for each such instruction that is translated. */
static void count_once(struct qemu_plugin_insn *insn, uint64_t address)
{
    struct string *string = malloc(sizeof *string);

    if (!string)
        abort();
    *string = (struct string){address, buckets ? bucket_of(address) : NULL};
    qemu_plugin_register_vcpu_insn_exec_cb(insn, iterates, NO_REGISTERS, string);
}

/* An operand in a register: of the byte ModRM, the upper two bits. */
static int is_register(unsigned char modrm)
{
    return modrm >> 6 == 3;
}

/* Whether an instruction of two bytes that begin with 0F cannot fault, with a ModRM byte and what follows. */
static int is_safe_after_0f(unsigned char code, unsigned char modrm)
{
    static const unsigned char on_registers[] = {
        0xa3, 0xab, 0xb3, 0xbb, 0xa4, 0xa5, 0xac, 0xad, /* bits, double shifts */
        0xaf, 0xb6, 0xb7, 0xbe, 0xbf, 0xbc, 0xbd,       /* imul, movzx, movsx, bsf, bsr */
    };

    if (code == 0x1f) /* nop: its operand is not touched */
        return 1;
    if ((code & 0xf8) == 0xc8) /* bswap */
        return 1;
    if (!is_register(modrm))
        return 0;
    return (code & 0xf0) == 0x40 || (code & 0xf0) == 0x90 || /* cmovcc, setcc */
           (code == 0xba && modrm >> 3 & 4) || memchr(on_registers, code, sizeof on_registers) != NULL;
}

/* Whether an instruction of one byte cannot fault; the byte ModRM is the next one, if it has one. */
static int is_safe(unsigned char code, unsigned char modrm)
{
    static const unsigned char alone[] = {
        0xa8, 0xa9, 0x98, 0x99, 0xf5, 0xf8, 0xf9, 0xfc, 0xfd, /* test, sign extension, flags */
    };
    static const unsigned char on_registers[] = {
        0x63, 0x69, 0x6b, 0x80, 0x81, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x8b, /* arithmetic, test, mov */
        0xc0, 0xc1, 0xd0, 0xd1, 0xd2, 0xd3,                                                  /* shifts */
    };
    unsigned digit = modrm >> 3 & 7;

    if (code < 0x40 && (code & 7) < 6) /* add, or, adc, sbb, and, sub, xor, cmp */
        return (code & 7) >= 4 || is_register(modrm);
    if ((code & 0xf8) == 0x90 || (code & 0xf0) == 0xb0) /* xchg, nop, mov of a constant */
        return 1;
    if (code == 0x8d) /* lea: its operand is not touched */
        return !is_register(modrm);
    if (memchr(alone, code, sizeof alone))
        return 1;
    if (!is_register(modrm))
        return 0;
    if (code == 0xc6 || code == 0xc7) /* mov */
        return digit == 0;
    if (code == 0xf6 || code == 0xf7) /* test, not, neg, mul, but not div */
        return digit < 6;
    if (code == 0xfe || code == 0xff) /* inc, dec */
        return digit < 2;
    return memchr(on_registers, code, sizeof on_registers) != NULL;
}

/* Whether an instruction may end otherwise than by the next one: whatever is not known to be safe. */
static int may_fault(const struct qemu_plugin_insn *insn)
{
    unsigned char bytes[MOST_BYTES + 1] = {0};
    size_t n = bytes_of(insn, bytes, MOST_BYTES), i = 0;

    if (n == 4 && memcmp(bytes, "\xf3\x0f\x1e\xfa", 4) == 0) /* endbr64 */
        return 0;
    while (i < n && bytes[i] == 0x66)
        i++;
    if (i + 1 < n && (bytes[i] & 0xf0) == 0x40) /* REX; alone, it is an instruction of 32 bits */
        i++;
    if (i + 1 < n && bytes[i] == 0x0f)
        return !is_safe_after_0f(bytes[i + 1], bytes[i + 2]);
    return i >= n || !is_safe(bytes[i], bytes[i + 1]);
}

static void count_each(const struct qemu_plugin_tb *tb, size_t n)
{
    struct qemu_plugin_insn *first = NULL; /* of those that are counted together */
    size_t together = 0;

    for (size_t i = 0; i < n; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint64_t address = qemu_plugin_insn_vaddr(insn);
        /* QEMU gives up the translation of an instruction that reaches into the next page, but shows it here */
        int alone = (address & (PAGE - 1)) > PAGE - MOST_BYTES, repeated = is_repeated(insn);
        if (together > 0 && alone) {
            add_at(first, &words[0][USER], together);
            together = 0;
        }
        if (repeated)
            count_once(insn, address);
        else if (together++ == 0)
            first = insn;
        if (together > 0 && (repeated || i + 1 == n || may_fault(insn))) {
            add_at(first, &words[0][USER], together);
            together = 0;
        }
        if (buckets && !repeated)
            add_at(insn, &bucket_of(address)->count, 1);
    }
}

/* Where QEMU has mapped a part of the guest's memory; NULL if it has not, as a whole. */
static char *mapped(uint64_t place, uint64_t length)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512], *found = NULL;
    unsigned long long begin, end, from, inode;

    while (maps && !found && fgets(line, sizeof line, maps))
        if (sscanf(line, "%llx-%llx rw%*s %llx %*s %llu", &begin, &end, &from, &inode) == 4 && inode == memory &&
            place >= from && place - from <= end - begin && length <= end - begin - (place - from))
            found = (char *)(uintptr_t)begin + (place - from);
    if (maps)
        fclose(maps);
    return found;
}

/* Read as many bytes; whether they came. */
static int received(void *target, size_t length)
{
    char *to = target;

    while (length > 0) {
        ssize_t n = recv(gate, to, length, 0);
        if (n == 0 || (n < 0 && errno != EINTR))
            return 0;
        to += n > 0 ? n : 0;
        length -= n > 0 ? (size_t)n : 0;
    }
    return 1;
}

static void stand_still(unsigned int vcpu, void *data)
{
    struct {
        uint64_t place, length;
    } part;
    char byte = 's', *target;

    (void)vcpu, (void)data;
    if (gate < 0)
        return;
    malloc_trim(0); /* a quarter of a waiting QEMU's own memory is what making its devices has left unused */
    if (send(gate, &byte, 1, MSG_NOSIGNAL) == 1)
        while (received(&part, sizeof part) && part.length > 0) {
            if (!memory || !(target = mapped(part.place, part.length))) {
                fprintf(stderr, "tcg_count: QEMU has not mapped the guest's memory as expected\n");
                _exit(1);
            }
            if (!received(target, part.length))
                break;
        }
    close(gate);
    gate = -1;
}

static void marked(unsigned int vcpu, void *data)
{
    uint64_t count = words[0][USER];

    (void)vcpu, (void)data;
    for (size_t i = 1; i < n_vcpus; i++)
        count += __atomic_load_n(&words[i][USER], __ATOMIC_RELAXED);
    if (gate < 0 && __atomic_load_n(&words[0][AT_MARK], __ATOMIC_ACQUIRE) == 0)
        __atomic_store_n(&words[0][AT_MARK], count, __ATOMIC_RELEASE);
}

static void halts(unsigned int vcpu, void *data)
{
    static const char running[] = {'r', 'u', 'n', 'n', 'i', 'n', 'g'};
    char does[sizeof running];

    (void)data;
    if (main_thread >= 0)
        while (pread(main_thread, does, sizeof does, 0) == sizeof does && memcmp(does, running, sizeof does) == 0)
            sched_yield();
    __atomic_store_n(&words[vcpu][AT_HALT], words[vcpu][USER], __ATOMIC_RELEASE);
}

static int is_halt(const struct qemu_plugin_insn *insn)
{
    unsigned char byte = 0;

    return qemu_plugin_insn_size(insn) == 1 && bytes_of(insn, &byte, 1) == 1 && byte == HALT;
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    size_t n = qemu_plugin_tb_n_insns(tb);

    (void)id;
    if (gate >= 0 && qemu_plugin_tb_vaddr(tb) == gate_at)
        qemu_plugin_register_vcpu_tb_exec_cb(tb, stand_still, NO_REGISTERS, NULL);
    if (mark_at && qemu_plugin_tb_vaddr(tb) == mark_at)
        qemu_plugin_register_vcpu_tb_exec_cb(tb, marked, NO_REGISTERS, NULL);
    if (in_kernel(tb)) { /* a program may not halt; the instruction is the last one of its block */
        struct qemu_plugin_insn *last = qemu_plugin_tb_get_insn(tb, n - 1);
        if (is_halt(last))
            qemu_plugin_register_vcpu_insn_exec_cb(last, halts, NO_REGISTERS, NULL);
        return;
    }
    if (main_thread >= 0) {
        count_each(tb, n);
        return;
    }
    size_t once = 0;
    for (size_t i = 0; i < n; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        if (is_repeated(insn)) {
            count_once(insn, qemu_plugin_insn_vaddr(insn));
            once++;
        }
    }
    if (once == n)
        return;
    add(tb, &words[0][USER], n - once);
    if (buckets)
        add(tb, &bucket_of(qemu_plugin_tb_vaddr(tb))->count, n - once);
}

static void map_and_close_files(void)
{
    map_files();
    close(words_file.fd);
    if (buckets_file.fd >= 0)
        close(buckets_file.fd);
}

static void maps_its_files(qemu_plugin_id_t id, unsigned int vcpu)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    (void)id;
    if (vcpu >= n_vcpus) {
        fprintf(stderr, "tcg_count: words has room for %zu processors, of at most %d\n", n_vcpus, MOST_VCPUS);
        _exit(1);
    }
    pthread_once(&once, map_and_close_files);
}

/* Open a file of at least this size; whether that worked, otherwise with a message. */
static int opened(const char *path, size_t least, struct file *file)
{
    struct stat status;

    file->fd = open(path, O_RDWR | O_CLOEXEC);
    if (file->fd < 0 || fstat(file->fd, &status) || (size_t)status.st_size < least) {
        fprintf(stderr, "tcg_count: %s cannot be opened, or has less than %zu bytes\n", path, least);
        return 0;
    }
    file->size = (size_t)status.st_size;
    return 1;
}

static int connected(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    if (fd >= 0 && strlen(path) < sizeof address.sun_path && connect(fd, (void *)&address, sizeof address) == 0)
        return fd;
    fprintf(stderr, "tcg_count: %s: nobody listens there\n", path);
    return -1;
}

/* What QEMU's main thread does: "running", or the number of the system call that it waits in; see proc(5). */
static int opened_main_thread(void)
{
    char path[64];
    int fd;

    snprintf(path, sizeof path, "/proc/self/task/%d/syscall", (int)getpid());
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        fprintf(stderr, "tcg_count: %s cannot be read: %s\n", path, strerror(errno));
    return fd;
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct info *info, int argc, char **argv)
{
    api = info->api.current;
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "words=", 6) == 0 && !opened(argv[i] + 6, WORDS * sizeof *words[0], &words_file))
            return -1;
        if (strcmp(argv[i], "exact=on") == 0 && (main_thread = opened_main_thread()) < 0)
            return -1;
        if (strncmp(argv[i], "gate=", 5) == 0 && (gate = connected(argv[i] + 5)) < 0)
            return -1;
        if (strncmp(argv[i], "memory=", 7) == 0) {
            struct stat status;
            if (stat(argv[i] + 7, &status)) {
                fprintf(stderr, "tcg_count: %s: %s\n", argv[i] + 7, strerror(errno));
                return -1;
            }
            memory = status.st_ino;
        }
        if (strncmp(argv[i], "gate-at=", 8) == 0)
            gate_at = strtoull(argv[i] + 8, NULL, 0);
        if (strncmp(argv[i], "mark-at=", 8) == 0)
            mark_at = strtoull(argv[i] + 8, NULL, 0);
        if (strncmp(argv[i], "buckets=", 8) == 0 && !opened(argv[i] + 8, 2 * sizeof *buckets, &buckets_file))
            return -1;
    }
    if (words_file.fd < 0) {
        fprintf(stderr, "tcg_count: wants words=PATH\n");
        return -1;
    }
    n_vcpus = 1 + (words_file.size - WORDS * sizeof *words[0]) / PAGE;
    n_vcpus = n_vcpus < MOST_VCPUS ? n_vcpus : MOST_VCPUS;
    if (n_vcpus > 1 && main_thread >= 0) {
        fprintf(stderr, "tcg_count: exact=on is for one processor\n");
        return -1;
    }
    n_buckets = buckets_file.size / sizeof *buckets;
    qemu_plugin_register_vcpu_init_cb(id, maps_its_files);
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    return 0;
}
