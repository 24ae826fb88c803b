/* Calls single functions of the guest's keeper.c, so that tests can try them on the host: CALL [ARGUMENT…]. */
#define main keeper_main
#include "keeper.c"
#undef main

int main(int argc, char **argv)
{
    const char *call = argc > 1 ? argv[1] : "";
    dup2(1, REPORT);
    complaints = 2;
    if (strcmp(call, "output") == 0) {
        out.fd = 0;
        add_stream(&out);
        send_report();
    } else if (strcmp(call, "file") == 0) {
        add_file(open(argv[2], O_PATH | O_DIRECTORY), argv[3], (size_t)atol(argv[4]));
        send_report();
    } else if (strcmp(call, "value") == 0) {
        add_value(open(argv[2], O_RDONLY | O_DIRECTORY), argv[3], argv[4]);
        send_report();
    } else if (strcmp(call, "remove") == 0) {
        remove_folder(argv[2]);
    } else if (strcmp(call, "copy") == 0) {
        int medium = open(argv[2], O_RDONLY | O_DIRECTORY);
        if (!copy_input(medium, argv[3], argv[4]))
            printf("%s\n", strerror(errno));
    } else if (strcmp(call, "steps") == 0) {
        dup2(open(argv[2], O_RDONLY), ORDERS);
        if (!read_part(ORDERS, &place_plan))
            return 3;
        steps(data());
    } else if (strcmp(call, "dated") == 0) {
        printf("%s", all_have_date((struct list){argc - 3, argv + 3}, atol(argv[2])) ? "yes" : "no");
    } else if (strcmp(call, "hold") == 0) {
        puts(held(argv + 4, atol(argv[2]), (uint64_t)atol(argv[3])) ? "held" : "not held");
        char line[128];
        FILE *status = fopen("/proc/self/status", "r");
        while (status && fgets(line, sizeof line, status))
            if (strncmp(line, "VmLck:", 6) == 0)
                printf("%ld\n", atol(line + 6));
    } else {
        return 2;
    }
    return 0;
}
