/* cmd_import_sets.c - `holdout import sets`: the published history of sets, revision by revision,
 * with parents, parameters and what each says of its own validity. Several files are one history:
 * parents may stand in an earlier one. `import set` of such a file gives all of it one name
 * (cmd_import_set.c). */
#include <stdlib.h>

#include "base/xalloc.h"
#include "cli/commands.h"
#include "cli/set_history.h"

enum err_code cmd_import_sets(struct cli *cli)
{
    struct import *files = xcalloc((size_t)cli->n_args, sizeof *files);
    struct set_history h;
    struct sv role;
    int n = 0;
    set_history_init(&h, files, SV(""));
    enum err_code rc = set_history_role(cli, &role);
    for (int i = 1; i < cli->n_args && rc == OK; i++) {
        h.im = &files[n++];
        rc = import_open(h.im, cli, cli->args[i]);
        rc = rc == OK ? set_history_read(&h) : rc;
        rc = rc == OK ? import_checked(h.im) : rc;
    }
    rc = rc == OK ? set_history_write(&h, role) : rc;
    set_history_release(&h);
    for (int i = 0; i < n; i++) {
        import_close(&files[i]);
    }
    free(files);
    return rc;
}
