/* lines_test.c - a whole study in four small files: imported twice, exported, checked; and files
 * with mistakes, which are all named and change nothing. */
#include "unit.h"

#include <fcntl.h>

#include "db/db.h"
#include "shell.h"

static const char classes[] = "cid,wnid,synset,gloss,wikipedia\n0,n01,cat|puss,\"meows, purrs\",\n"
                              "1,n02,dog,barks,https://example.org/dog\n";
static const char images[] = "idx,image,wnid,kind,source_id,date_taken\n0,a.jpg,n01,cand,s1,2014-01-02\n"
                             "1,b.jpg,n01,val,,\n2,c.jpg,n02,val,,\n";
static const char hits[] =
    "{\"hit\":5,\"uuid\":\"u5\",\"wnid\":\"n01\",\"excluded\":\"\",\"label\":[0],\"pos\":[1],"
    "\"neg\":[2],\"all\":[2,0,1]}\n"
    "{\"hit\":6,\"uuid\":\"u6\",\"wnid\":\"n01\",\"excluded\":\"pilot\",\"label\":[0],\"pos\":[1],"
    "\"neg\":[2],\"all\":[0,1,2]}\n";
static const char votes[] = "assignment,hit,worker,status,accept_time,duration_s,mask_hex\n"
                            "A1,5,w1,S,1500000000,30,6\n"   /* cells 1 and 2: a and b */
                            "A2,5,w2,A,1500000010,20,5\n"   /* cells 0 and 2: c and b */
                            "A3,5,w3,R,1500000020,10,7\n"   /* rejected */
                            "A4,6,w1,A,1500000030,10,7\n";  /* excluded hit */

static bool said(const struct str *s, const char *text)
{
    return s->n && strstr(s->p, text);
}

static int import(struct shell *s, const char *what, const char *text)
{
    const char *file = shell_file(s, what, text);
    return shell_run(s, "import", what, s->project, file, NULL);
}

static void import_study(struct shell *s)
{
    assert_int_equal(import(s, "classes", classes), 0);
    assert_int_equal(import(s, "image-list", images), 0);
    assert_int_equal(import(s, "hits", hits), 0);
    assert_int_equal(import(s, "votes", votes), 0);
}

static int64_t number(struct shell *s, const char *sql)
{
    struct db *db = NULL;
    struct err err = {0};
    int64_t n = -1;
    assert_int_equal(db_open(fs_join(&s->arena, s->project, "holdout.db"), DB_READ, &db, &err), OK);
    assert_int_equal(db_one_int(db, sql, DB_NONE, &n, &err), OK);
    db_close(db);
    return n;
}

static void assert_exports(struct shell *s)
{
    assert_int_equal(shell_run(s, "export", "frequencies", s->project, NULL), 0);
    assert_string_equal(s->out.p, "image,wnid,n_assignments,n_selected\na.jpg,n01,2,1\n"
                                  "b.jpg,n01,2,2\nc.jpg,n01,2,1\n");
    assert_int_equal(shell_run(s, "export", "workers", s->project, NULL), 0);
    assert_string_equal(s->out.p,
                        "worker,assignments,rejected,pos_correct,pos_total,neg_correct,neg_total,"
                        "n_selected,total_duration_s\nw1,1,0,1,1,1,1,2,30\nw2,1,0,1,1,0,1,2,20\n"
                        "w3,1,1,0,0,0,0,0,0\n");
    assert_int_equal(shell_run(s, "check", s->project, NULL), 0);
}

SHELL_TEST(study)
{
    struct shell *s = *state;
    import_study(s);
    assert_exports(s);
}

SHELL_TEST(twice_changes_nothing)
{
    struct shell *s = *state;
    import_study(s);
    static const char *const tables[] = {
        "SELECT count(*) FROM event",      "SELECT count(*) FROM image",
        "SELECT count(*) FROM grid_cell",  "SELECT count(*) FROM answer",
        "SELECT count(*) FROM answer_state", "SELECT count(*) FROM person",
    };
    int64_t before[6];
    for (int i = 0; i < 6; i++) {
        before[i] = number(s, tables[i]);
    }
    import_study(s);
    assert_true(said(&s->err, "4 answers read, 0 new."));
    for (int i = 0; i < 6; i++) {
        assert_int_equal(number(s, tables[i]), before[i]);
    }
    assert_exports(s);
}

/* A later file of the same answers says otherwise about two, one of which it rejects: what counts stays, and it is said.
 * A decision of the project's own is no difference. */
SHELL_TEST(another_status)
{
    struct shell *s = *state;
    char later[sizeof votes];
    import_study(s);
    memcpy(later, votes, sizeof votes);
    memcpy(strstr(later, "w1,S,"), "w1,A,", 5);
    memcpy(strstr(later, "w2,A,"), "w2,R,", 5);
    int64_t before = number(s, "SELECT count(*) FROM answer_state");
    assert_int_equal(import(s, "votes", later), 0);
    assert_true(said(&s->err, "2 of these answers are already in the project with another status, which stays; the file says "
                              "that 1 of them are rejected."));
    assert_int_equal(number(s, "SELECT count(*) FROM answer_state"), before);
    assert_int_equal(import(s, "votes", votes), 0);
    assert_false(said(&s->err, "another status"));
}

SHELL_TEST(dry_run)
{
    struct shell *s = *state;
    const char *file = shell_file(s, "classes", classes);
    assert_int_equal(shell_run(s, "import", "classes", s->project, file, "--dry-run", NULL), 0);
    assert_true(said(&s->err, "2 classes read, 0 new or changed (dry run)"));
    assert_int_equal(number(s, "SELECT count(*) FROM class"), 0);
}

SHELL_TEST(standard_input)
{
    struct shell *s = *state;
    int file = open(shell_file(s, "classes", classes), O_RDONLY), was = dup(STDIN_FILENO);
    assert_true(file >= 0 && was >= 0);
    assert_true(dup2(file, STDIN_FILENO) >= 0);
    int status = shell_run(s, "import", "classes", s->project, "-", NULL);
    assert_true(dup2(was, STDIN_FILENO) >= 0);
    close(was);
    close(file);
    assert_int_equal(status, 0);
    assert_int_equal(number(s, "SELECT count(*) FROM class"), 2);
}

/* Every bad row is named by file and line, the first fifty; nothing is written. */
SHELL_TEST(bad_rows)
{
    struct shell *s = *state;
    struct str list;
    str_init(&list, 1 << 16);
    str_addz(&list, "image,wnid,kind\ngood.jpg,n01,val\n");
    for (int i = 0; i < 60; i++) {
        str_printf(&list, "%d.jpg,n99,cand\n", i);
    }
    assert_int_equal(import(s, "classes", classes), 0);
    assert_int_equal(import(s, "image-list", list.p), 1);
    assert_true(said(&s->err, "image-list:3: class n99 is not in the project"));
    assert_true(said(&s->err, "image-list:52: "));
    assert_false(said(&s->err, "image-list:53: "));
    assert_true(said(&s->err, "60 rows of "));
    assert_true(said(&s->err, "nothing was written"));
    assert_int_equal(number(s, "SELECT count(*) FROM image"), 0);
    str_release(&list);
}

SHELL_TEST(each_mistake_is_named)
{
    static const struct {
        const char *what, *text, *says;
    } cases[] = {
        {"classes", "wnid,synset\nn01,cat\nn01,dog\n", "classes:3: class n01 is already in line 2"},
        {"classes", "wnid,synset\na/b,cat\n", "classes:2: the wnid must have"},
        {"classes", "cid,wnid,synset\n3,n01,cat\n3,n02,dog\n", "cid 3 belongs to another class"},
        {"classes", "cid,wnid,synset\n-1,n01,cat\n", "cid must be a whole number"},
        {"classes", "name,gloss\nx,y\n", "the header needs the columns"},
        {"image-list", "image,wnid,kind\na.jpg,n01,cand\na.jpg,n01,cand\n", "image-list:3: image a.jpg"},
        {"image-list", "image,wnid,kind\na.jpg,n01,frob\n", "kind must be"},
        {"image-list", "image,wnid,kind\n,n01,cand\n", "name must have"},
        {"image-list", "idx,image,wnid,kind\nx,z.jpg,n01,cand\n", "idx must be"},
        {"image-list", "image,wnid,kind,date_taken\nz.jpg,n01,cand,2014-13-45\n", "date_taken \"2014-13-45\" must be a date"},
        {"image-list", "idx,image,wnid,kind\n8,y.jpg,n01,cand\n8,z.jpg,n01,cand\n", "idx 8 appears twice"},
        {"hits", "{\"hit\":1,\"uuid\":\"u\",\"wnid\":\"n01\",\"label\":[0],\"pos\":[],\"neg\":[],\"all\":[]}\n",
         "hits:1: a hit must show 1 to 48"},
        {"hits", "{\"hit\":1,\"uuid\":\"u\",\"wnid\":\"n01\",\"label\":[0],\"pos\":[],\"neg\":[],\"all\":[0,0]}\n",
         "shows an image twice"},
        {"hits", "{\"hit\":1,\"uuid\":\"u\",\"wnid\":\"n01\",\"label\":[0],\"pos\":[],\"neg\":[],\"all\":[0,1]}\n",
         "cell 1 is neither"},
        {"hits", "{\"hit\":1,\"uuid\":\"u\",\"wnid\":\"n01\",\"label\":[0],\"pos\":[2],\"neg\":[],\"all\":[0]}\n",
         "not among all images"},
        {"hits", "{\"hit\":1,\"uuid\":\"u\",\"wnid\":\"n01\",\"label\":[77],\"pos\":[],\"neg\":[],\"all\":[77]}\n",
         "image 77 is not in the project"},
        {"hits", "{\"hit\":1,\"uuid\":\"\",\"wnid\":\"n01\",\"label\":[0],\"pos\":[],\"neg\":[],\"all\":[0]}\n",
         "uuid must be"},
        {"votes", "task,worker,label\n1,w,1\n", "the task must be IMAGE:WNID"},
        {"votes", "assignment,hit,worker,status,accept_time,duration_s,mask_hex\nB,5,w,S,1,1,8\n",
         "selects a cell beyond the 3"},
        {"votes", "assignment,hit,worker,status,accept_time,duration_s,mask_hex\nB,9,w,S,1,1,0\n",
         "hit 9 is not in campaign imported"},
        {"votes", "assignment,hit,worker,status,accept_time,duration_s,mask_hex\nB,5,w,X,1,1,0\n",
         "status must be"},
        {"votes", "assignment,hit,worker,status,accept_time,duration_s,mask_hex\nB,5,w,S,-1,1,0\n",
         "must be seconds"},
        {"votes", "assignment,hit,worker,status,accept_time,duration_s,mask_hex\nB,5,w,S,1,1,0x1\n",
         "mask_hex must be"},
        {"votes", "assignment,hit,worker,status,accept_time,duration_s,mask_hex\nB,5,w,S,1,1,0\nC,5,w,S,1,1,0\n",
         "votes:3: worker w answered this hit twice"},
        {"votes", "assignment,hit,worker,status,accept_time,duration_s,mask_hex\nB,5,w,S,1,1,0\nB,5,v,S,1,1,0\n",
         "assignment B appears twice in the file"},
        {"votes", "assignment,hit,worker,status,accept_time,duration_s,mask_hex\n,5,w,S,1,1,0\n",
         "must not be empty"},
    };
    struct shell *s = *state;
    import_study(s);
    int64_t before = number(s, "SELECT max(id) FROM event");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(import(s, cases[i].what, cases[i].text), 1);
        if (!said(&s->err, cases[i].says)) {
            fail_msg("\"%s\" is not in: %s", cases[i].says, s->err.p);
        }
    }
    assert_int_equal(number(s, "SELECT max(id) FROM event"), before);
    assert_exports(s);
}

/* A campaign that hands out work takes no imports; nor does a name that no address could hold. */
SHELL_TEST(campaign_option)
{
    struct shell *s = *state;
    assert_int_equal(import(s, "classes", classes), 0);
    assert_int_equal(import(s, "image-list", images), 0);
    const char *file = shell_file(s, "hits", hits);
    assert_int_equal(shell_run(s, "grids", s->project, "--campaign", "own", NULL), 0);
    assert_int_equal(shell_run(s, "import", "hits", s->project, file, "--campaign", "own", NULL), 1);
    assert_true(said(&s->err, "hands out work here"));
    assert_int_equal(shell_run(s, "import", "hits", s->project, file, "--campaign", "a/b", NULL), 1);
    assert_true(said(&s->err, "must be 1 to 64 of a-z, 0-9 and -"));
    file = shell_file(s, "votes", votes);
    assert_int_equal(shell_run(s, "import", "votes", s->project, file, "--campaign", "x", NULL), 1);
    assert_true(said(&s->err, "there is no campaign x; import its hits first"));
    assert_int_equal(number(s, "SELECT count(*) FROM campaign"), 1);
}

/* `check` finds what somebody changed behind the program's back. */
SHELL_TEST(check_finds_damage)
{
    static const struct {
        const char *sql, *says;
    } cases[] = {
        {"UPDATE image_count SET n = n + 1 WHERE role = 'candidate'", "1 image counts"},
        {"UPDATE answer SET mask = 255", "selects a cell that its grid does not have"},
        {"INSERT INTO source (sha256, bytes, type, width, height)"
         " VALUES (zeroblob(32), 1, 'jpeg', 1, 1)", "1 sources belong to no image"},
        {"UPDATE campaign SET imported = 0, answers_per_grid = 1", "1 grids have more accepted"},
    };
    struct shell *s = *state;
    import_study(s);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct db *db = NULL;
        struct err err = {0};
        assert_int_equal(db_open(fs_join(&s->arena, s->project, "holdout.db"), DB_WRITE, &db, &err),
                         OK);
        assert_int_equal(db_script(db, cases[i].sql, &err), OK);
        db_close(db);
        assert_int_equal(shell_run(s, "check", s->project, NULL), 1);
        assert_true(said(&s->out, cases[i].says));
    }
}

/* A file below images/ that no row names. */
SHELL_TEST(check_finds_orphan_files)
{
    struct shell *s = *state;
    const char *folder = fs_join(&s->arena, s->project, "images");
    unit_write(folder, "stray", "x", 1);
    assert_int_equal(shell_run(s, "check", s->project, NULL), 1);
    assert_true(said(&s->out, "orphan: images/stray belongs to no row"));
    assert_int_equal(unlink(fs_join(&s->arena, folder, "stray")), 0);
}
