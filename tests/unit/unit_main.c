/* unit_main.c - main of the programs that have none of their own: linked where it is missing. */
#include "unit.h"

int main(void)
{
    return unit_run();
}
