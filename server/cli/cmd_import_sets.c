/* cmd_import_sets.c - `holdout import sets`: the published history of sets, revision by revision,
 * with parents, parameters and what each says of its own validity. Several files are one history:
 * parents may be in any of them. `import set` of such a file gives all of it one name
 * (cmd_import_set.c). */
#include <stdlib.h>

#include "base/xalloc.h"
#include "cli/commands.h"
#include "cli/history_file.h"

enum err_code cmd_import_sets(struct cli *cli)
{
    struct import *files = xcalloc((size_t)cli->n_args, sizeof *files);
    struct history_file h;
    struct sv role;
    int n = 0;
    history_file_init(&h, files, SV(""));
    enum err_code rc = history_file_role(cli, &role);
    for (int i = 1; i < cli->n_args && rc == OK; i++) {
        h.im = &files[n++];
        rc = i == 1 ? import_open(h.im, cli, cli->args[i])
                    : import_open_beside(h.im, files, cli->args[i]);
        rc = rc == OK ? history_file_read(&h) : rc;
        rc = rc == OK ? import_checked(h.im) : rc;
    }
    rc = rc == OK ? history_file_read_waiting(&h) : rc;
    rc = rc == OK ? history_file_write(&h, role) : rc;
    history_file_release(&h);
    for (int i = 0; i < n; i++) {
        import_close(&files[i]);
    }
    free(files);
    return rc;
}
