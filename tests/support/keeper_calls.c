/* Calls single functions of the guest's keeper.c, so that tests can try them on the host: CALL [ARGUMENT…]. */
#define main keeper_main
#include "keeper.c"
#undef main

int main(int argc, char **argv)
{
    const char *call = argc > 1 ? argv[1] : "";
    dup2(1, REPORT);
    dup2(2, READY);
    if (strcmp(call, "output") == 0) {
        out.fd = 0;
        report_stream(&out);
    } else if (strcmp(call, "file") == 0) {
        report_file(argv[2], (size_t)atol(argv[3]));
    } else if (strcmp(call, "remove") == 0) {
        remove_folder(argv[2]);
    } else if (strcmp(call, "copy") == 0) {
        int medium = open(argv[2], O_RDONLY | O_DIRECTORY);
        if (!copy_input(medium, argv[3], argv[4]))
            printf("%s\n", strerror(errno));
    } else if (strcmp(call, "steps") == 0) {
        int plan = open(argv[2], O_RDONLY);
        dup2(plan, PLAN);
        for (int fd = READY; fd <= PORT; fd++)
            dup2(2, fd);
        open_plan();
        steps();
    } else {
        return 2;
    }
    return 0;
}
