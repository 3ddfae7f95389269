/* unit_faults.h - the switches of base/fault.h for tests that are built with FAULT_HOOKS. Tests
 * say TESTS_SHARE(unit_faults_on, NULL): the code under test looks for the switches only once.
 * Knows the layout of their file and nothing of what a switch does. */
#ifndef UNIT_FAULTS_H
#define UNIT_FAULTS_H

#include <fcntl.h>
#include <sys/mman.h>

#include "base/fault.h"
#include "unit.h"

#ifdef FAULT_HOOKS
/* The switches, all off; the file behind them has no name any more. */
static inline struct fault_switches *unit_faults(void)
{
    static struct fault_switches *switches;
    if (!switches) {
        char *folder = unit_folder();
        char *path = NULL;
        assert_true(asprintf(&path, "%s/switches", folder) > 0);
        int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        assert_true(fd >= 0 && ftruncate(fd, sizeof *switches) == 0);
        void *p = mmap(NULL, sizeof *switches, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        assert_true(p != MAP_FAILED);
        switches = p;
        close(fd);
        setenv("HOLDOUT_FAULT_FILE", path, 1);
        fault_clock_ms(); /* maps it now */
        free(path);
        unit_remove(folder);
    }
    *switches = (struct fault_switches){0};
    return switches;
}
#endif

static inline int unit_faults_on(void **state)
{
    (void)state;
#ifdef FAULT_HOOKS
    unit_faults();
#endif
    return 0;
}

#endif
