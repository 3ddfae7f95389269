/* npy.c - reads NumPy's file format: a magic text, a version, the length of a header, and the header, which
 * is the text of a Python dictionary: {'descr': '<u2', 'fortran_order': False, 'shape': (10000, 5), }. */
#include "formats/npy.h"

#include <endian.h>
#include <string.h>

static const char magic[] = "\x93NUMPY";
enum { MAGIC = 6, DIMENSIONS_MOST = 8 };

struct header {
    struct sv descr; /* with its quotes removed */
    bool fortran;
    uint64_t shape[DIMENSIONS_MOST];
    size_t dimensions;
};

bool npy_is(struct sv file)
{
    return file.n >= MAGIC && memcmp(file.p, magic, MAGIC) == 0;
}

static void skip_space(struct sv *s)
{
    while (s->n && (*s->p == ' ' || *s->p == '\n' || *s->p == '\t')) {
        *s = sv_make(s->p + 1, s->n - 1);
    }
}

/* True, and behind it, when the next sign is this one. */
static bool take(struct sv *s, char c)
{
    skip_space(s);
    bool there = s->n && *s->p == c;
    if (there) {
        *s = sv_make(s->p + 1, s->n - 1);
    }
    return there;
}

static bool take_word(struct sv *s, const char *word)
{
    skip_space(s);
    bool there = sv_starts(*s, word);
    if (there) {
        *s = sv_make(s->p + strlen(word), s->n - strlen(word));
    }
    return there;
}

/* A text in single or double quotes; such texts have no escapes here. */
static bool take_text(struct sv *s, struct sv *out)
{
    char quote = '\'';
    if (!take(s, quote)) {
        quote = '"';
        if (!take(s, quote)) {
            return false;
        }
    }
    *out = sv_cut(s, quote);
    return s->p != NULL;
}

/* "(10000, 5)"; Python 2 wrote an L behind long numbers. */
static bool take_shape(struct sv *s, struct header *h)
{
    if (!take(s, '(')) {
        return false;
    }
    while (!take(s, ')')) {
        uint64_t v = 0;
        size_t digits = 0;
        skip_space(s);
        for (; s->n && *s->p >= '0' && *s->p <= '9' && digits < 18; digits++) {
            v = 10 * v + (uint64_t)(*s->p - '0');
            *s = sv_make(s->p + 1, s->n - 1);
        }
        if (digits == 0 || h->dimensions == DIMENSIONS_MOST) {
            return false;
        }
        h->shape[h->dimensions++] = v;
        take(s, 'L');
        if (!take(s, ',') && !(s->n && *s->p == ')')) {
            return false;
        }
    }
    return true;
}

static bool read_header(struct sv s, struct header *h)
{
    int seen = 0;
    if (!take(&s, '{')) {
        return false;
    }
    while (!take(&s, '}')) {
        struct sv key;
        if (!take_text(&s, &key) || !take(&s, ':')) {
            return false;
        }
        bool good = false;
        if (sv_is(key, "descr")) {
            good = take_text(&s, &h->descr);
            seen |= 1;
        } else if (sv_is(key, "fortran_order")) {
            h->fortran = take_word(&s, "True");
            good = h->fortran || take_word(&s, "False");
            seen |= 2;
        } else if (sv_is(key, "shape")) {
            good = take_shape(&s, h);
            seen |= 4;
        }
        if (!good) {
            return false;
        }
        take(&s, ',');
    }
    return seen == 7;
}

/* Sets what the array's numbers are. */
static enum err_code read_type(struct npy *out, const char *name, struct sv descr, struct err *err)
{
    char order = descr.n ? descr.p[0] : '?', kind = descr.n > 1 ? descr.p[1] : '?';
    int64_t bytes = 0;
    bool sized = descr.n > 2 && sv_i64(sv_make(descr.p + 2, descr.n - 2), &bytes);
    if (kind == 'f') {
        return err_set(err, ERR_INPUT,
                       "%s: it holds floating-point numbers (" SV_FMT "), but labels are whole numbers. If "
                       "these are scores, choose the best classes first: numpy.argsort(-scores, axis=1)[:, "
                       ":5].astype('<u2')", name, SV_ARG(descr));
    }
    bool good = sized && strchr("<>|=", order) && (kind == 'u' || kind == 'i') &&
                (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8);
    if (!good) {
        return err_set(err, ERR_INPUT,
                       "%s: its type is " SV_FMT "; labels are read as integers of 1, 2, 4 or 8 bytes, "
                       "such as array.astype('<u2')", name, SV_ARG(descr));
    }
    out->item = (size_t)bytes;
    out->is_signed = kind == 'i';
    out->big_endian = order == '>';
    return OK;
}

/* Whether so many numbers are as many as are read. */
static enum err_code check_size(const char *name, uint64_t rows, uint64_t columns, struct err *err)
{
    return rows <= NPY_ROWS_MOST && columns > 0 && columns <= NPY_COLUMNS_MOST
               ? OK
               : err_rule(err, ERR_LIMIT, "npy-shape",
                          "%s: its shape is %llu x %llu; at most %d rows and %d columns are read", name,
                          (unsigned long long)rows, (unsigned long long)columns, NPY_ROWS_MOST, NPY_COLUMNS_MOST);
}

/* Whether `rest` bytes follow the header, as the shape says; the numbers of a shape that was checked fit 64 bits. */
static enum err_code check_rest(const char *name, uint64_t rows, uint64_t columns, size_t item, uint64_t rest, struct err *err)
{
    uint64_t want = rows * columns * item;
    return want == rest ? OK
                        : err_rule(err, ERR_INPUT, "npy-shape",
                                   "%s: a header of %llu x %llu numbers of %zu bytes is followed by %llu bytes instead "
                                   "of %llu: the file is %s", name, (unsigned long long)rows,
                                   (unsigned long long)columns, item, (unsigned long long)rest, (unsigned long long)want,
                                   rest < want ? "cut off" : "too long");
}

static enum err_code fortran(const char *name, struct err *err)
{
    return err_rule(err, ERR_INPUT, "npy-shape",
                    "%s: it is stored column by column (Fortran order); save it row by row: "
                    "numpy.save(file, numpy.ascontiguousarray(array))", name);
}

static enum err_code read_shape(struct npy *out, const char *name, const struct header *h,
                                size_t rest, struct err *err)
{
    if (h->dimensions < 1 || h->dimensions > 2) {
        return err_set(err, ERR_INPUT,
                       "%s: it has %zu dimensions; expected two, one row per image and one column per label",
                       name, h->dimensions);
    }
    uint64_t columns = h->dimensions == 2 ? h->shape[1] : 1;
    enum err_code rc = check_size(name, h->shape[0], columns, err);
    if (rc == OK && h->fortran && columns > 1 && h->shape[0] > 1) {
        rc = fortran(name, err);
    }
    out->rows = (size_t)h->shape[0];
    out->columns = (size_t)columns;
    return rc == OK ? check_rest(name, h->shape[0], columns, out->item, rest, err) : rc;
}

/* The header that a file begins with; *begin: where its data do. */
static enum err_code read_begin(const char *name, struct sv file, struct header *h, size_t *begin, struct err *err)
{
    const unsigned char *b = (const unsigned char *)file.p;
    if (!npy_is(file) || file.n < MAGIC + 4) {
        return err_rule(err, ERR_INPUT, "npy-header", "%s: it is not a NumPy file (.npy)", name);
    }
    if (b[6] < 1 || b[6] > 3) {
        return err_rule(err, ERR_INPUT, "npy-header", "%s: version %d.%d of NumPy's format; only 1 to 3 can be read", name,
                        b[6], b[7]);
    }
    size_t at = b[6] == 1 ? 10 : 12, length = (size_t)b[8] | (size_t)b[9] << 8;
    if (b[6] > 1 && file.n >= at) {
        length |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
    }
    if (length > NPY_HEADER_MOST || file.n < at || length > file.n - at || !read_header(sv_make(file.p + at, length), h)) {
        return err_rule(err, ERR_INPUT, "npy-header", "%s: its header cannot be read: the file is damaged", name);
    }
    *begin = at + length;
    return OK;
}

enum err_code npy_open(struct npy *out, const char *name, struct sv file, struct err *err)
{
    struct header h = {0};
    size_t begin = 0;
    *out = (struct npy){0};
    enum err_code rc = read_begin(name, file, &h, &begin, err);
    if (rc == OK) {
        out->data = (const unsigned char *)file.p + begin;
        rc = read_type(out, name, h.descr, err);
    }
    return rc == OK ? read_shape(out, name, &h, file.n - begin, err) : rc;
}

enum err_code npy_floats(struct npy_floats *out, const char *name, struct sv begin, uint64_t bytes, struct err *err)
{
    struct header h = {0};
    *out = (struct npy_floats){0};
    enum err_code rc = read_begin(name, begin, &h, &out->begin, err);
    if (rc == OK && !sv_is(h.descr, "<f4")) {
        rc = err_rule(err, ERR_INPUT, "npy-type",
                      "%s: its type is " SV_FMT "; features are read as little-endian float32: array.astype('<f4')", name,
                      SV_ARG(h.descr));
    }
    if (rc == OK && h.dimensions != 2) {
        rc = err_rule(err, ERR_INPUT, "npy-shape",
                      "%s: it has %zu dimensions; expected two, one row per image and one column per number of the model's "
                      "output", name, h.dimensions);
    }
    rc = rc == OK ? check_size(name, h.shape[0], h.shape[1], err) : rc;
    rc = rc == OK && h.fortran ? fortran(name, err) : rc;
    rc = rc == OK ? check_rest(name, h.shape[0], h.shape[1], sizeof(float), bytes - out->begin, err) : rc;
    if (rc == OK) {
        out->rows = (size_t)h.shape[0];
        out->columns = (size_t)h.shape[1];
    }
    return rc;
}

/* The bits of a number of 1, 2, 4 or 8 bytes, in its lowest ones. Files have millions of numbers: no loop over bytes. */
static uint64_t bits_at(const unsigned char *p, size_t bytes, bool big_endian)
{
    uint64_t eight;
    uint32_t four;
    uint16_t two;
    switch (bytes) {
    case 1:
        return *p;
    case 2:
        memcpy(&two, p, sizeof two);
        return big_endian ? be16toh(two) : le16toh(two);
    case 4:
        memcpy(&four, p, sizeof four);
        return big_endian ? be32toh(four) : le32toh(four);
    default:
        memcpy(&eight, p, sizeof eight);
        return big_endian ? be64toh(eight) : le64toh(eight);
    }
}

int64_t npy_at(const struct npy *a, size_t row, size_t column)
{
    const unsigned char *p = a->data + (row * a->columns + column) * a->item;
    uint64_t v = bits_at(p, a->item, a->big_endian);
    uint64_t sign = UINT64_C(1) << (8 * a->item - 1);
    if (a->is_signed) {
        return (int64_t)((v ^ sign) - sign);
    }
    return v > INT64_MAX ? INT64_MAX : (int64_t)v;
}
