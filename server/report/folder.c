/* folder.c - a report's files into a folder that is there whole or not at all. */
#include "base/fs.h"
#include "base/new_folder.h"
#include "report/report.h"

static const struct new_folder_words words = {"report", "a report", "written", "holdout-report"};

enum err_code report_target(const char *target, struct arena *a, struct err *err)
{
    struct new_folder f = new_folder_of(a, &words, target);
    return new_folder_check(&f, err);
}

enum err_code report_write(const struct report *r, const char *target, struct arena *a, struct err *err)
{
    struct new_folder f = new_folder_of(a, &words, target);
    enum err_code rc = new_folder_open(&f, err);
    rc = rc == OK ? fs_mkdirs(fs_join(a, f.temp, "tables"), err) : rc;
    rc = rc == OK ? fs_mkdirs(fs_join(a, f.temp, "charts"), err) : rc;
    for (size_t i = 0; i < r->n && rc == OK; i++) {
        rc = fs_write_new(fs_join(a, f.temp, r->files[i].name), r->files[i].text.p, r->files[i].text.n, err);
    }
    return new_folder_close(&f, rc, err);
}
