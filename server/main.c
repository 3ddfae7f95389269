/* main.c - the program. */
#include "cli/core/cli.h"

int main(int argc, char **argv)
{
    return cli_main(argc, argv);
}
