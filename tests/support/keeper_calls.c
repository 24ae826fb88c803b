/* Calls functions of the guest's keeper.c, so that tests can try them on the host: the steps of a PLAN; or, without
   one, watching a command that prints without end. */
#define main keeper_main
#include "keeper.c"
#undef main

static int steps_of(const char *plan)
{
    dup2(1, REPORT);
    complaints = 2;
    dup2(open(plan, O_RDONLY), ORDERS);
    if (!read_part(ORDERS, &place_plan))
        return 3;
    steps(data());
    return 0;
}

/* Prints how many chunks were read before the keeper looked again whether they are too many; it kills by a pipe whose
   end stands for that of the command. */
static int chunks_of_one_look(void)
{
    int silent[2], killing[2], full[2];
    if (pipe(silent) || pipe(killing) || pipe2(full, O_NONBLOCK))
        return 3;
    while (write(full[1], "", 1) == 1)
        ;
    out.fd = open("/dev/zero", O_RDONLY);
    out.writing_end = full[1];
    err.fd = silent[0];
    err.writing_end = silent[1];
    dup2(silent[0], PORT);
    struct running running = {
        .init_fd = killing[0], .kill_fd = killing[1], .pids_events = -1, .ready = -1};
    if (watch(&running, 1, false) != DEAD)
        return 4;
    printf("%d\n", (int)(out.total / CHUNK));
    return 0;
}

int main(int argc, char **argv)
{
    return argc == 2 ? steps_of(argv[1]) : chunks_of_one_look();
}
