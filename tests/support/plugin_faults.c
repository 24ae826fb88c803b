/* Says of each instruction, given as hexadecimal digits, whether the counting plugin takes it for one that may fault. */
#include <stdio.h>

/* declared without its type there */
#define qemu_plugin_insn_data declared_insn_data
#include "tcg_count.c"
#undef qemu_plugin_insn_data

struct qemu_plugin_insn {
    size_t n;
    unsigned char bytes[MOST_BYTES];
};

size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn)
{
    return insn->n;
}

const void *bytes_of_insn(const struct qemu_plugin_insn *insn) __asm__("declared_insn_data");

const void *bytes_of_insn(const struct qemu_plugin_insn *insn)
{
    return insn->bytes;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct qemu_plugin_insn insn = {0};
        while (sscanf(argv[i] + 2 * insn.n, "%2hhx", &insn.bytes[insn.n]) == 1)
            insn.n++;
        puts(may_fault(&insn) ? "may" : "cannot");
    }
    return 0;
}
