/* Does the steps of a plan as the guest's keeper.c does, so that tests can try them on the host: PLAN. */
#define main keeper_main
#include "keeper.c"
#undef main

int main(int argc, char **argv)
{
    dup2(1, REPORT);
    complaints = 2;
    if (argc != 2)
        return 2;
    dup2(open(argv[1], O_RDONLY), ORDERS);
    if (!read_part(ORDERS, &place_plan))
        return 3;
    steps(data());
    return 0;
}
