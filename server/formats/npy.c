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

static enum err_code read_shape(struct npy *out, const char *name, const struct header *h,
                                size_t rest, struct err *err)
{
    if (h->dimensions < 1 || h->dimensions > 2) {
        return err_set(err, ERR_INPUT,
                       "%s: it has %zu dimensions; expected two, one row per image and one column per label",
                       name, h->dimensions);
    }
    uint64_t columns = h->dimensions == 2 ? h->shape[1] : 1;
    if (h->shape[0] > NPY_ROWS_MOST || columns > NPY_COLUMNS_MOST || columns == 0) {
        return err_set(err, ERR_LIMIT, "%s: its shape is %llu x %llu; at most %d rows and %d columns are "
                       "read", name, (unsigned long long)h->shape[0], (unsigned long long)columns,
                       NPY_ROWS_MOST, NPY_COLUMNS_MOST);
    }
    if (h->fortran && columns > 1 && h->shape[0] > 1) {
        return err_set(err, ERR_INPUT,
                       "%s: it is stored column by column (Fortran order); save it row by row: "
                       "numpy.save(file, numpy.ascontiguousarray(array))", name);
    }
    out->rows = (size_t)h->shape[0];
    out->columns = (size_t)columns;
    uint64_t want = h->shape[0] * columns * out->item;
    return want == rest
               ? OK
               : err_set(err, ERR_INPUT,
                         "%s: a header of %zu x %zu numbers of %zu bytes is followed by %zu bytes instead "
                         "of %llu: the file is %s", name, out->rows, out->columns, out->item, rest,
                         (unsigned long long)want, rest < want ? "cut off" : "too long");
}

enum err_code npy_open(struct npy *out, const char *name, struct sv file, struct err *err)
{
    struct header h = {0};
    const unsigned char *b = (const unsigned char *)file.p;
    *out = (struct npy){0};
    if (!npy_is(file) || file.n < MAGIC + 4) {
        return err_set(err, ERR_INPUT, "%s: it is not a NumPy file (.npy)", name);
    }
    if (b[6] < 1 || b[6] > 3) {
        return err_set(err, ERR_INPUT, "%s: version %d.%d of NumPy's format; only 1 to 3 can be read", name,
                       b[6], b[7]);
    }
    size_t begin = b[6] == 1 ? 10 : 12, length = (size_t)b[8] | (size_t)b[9] << 8;
    if (b[6] > 1 && file.n >= begin) {
        length |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
    }
    if (length > NPY_HEADER_MOST || file.n < begin || length > file.n - begin ||
        !read_header(sv_make(file.p + begin, length), &h)) {
        return err_set(err, ERR_INPUT, "%s: its header cannot be read: the file is damaged", name);
    }
    out->data = b + begin + length;
    enum err_code rc = read_type(out, name, h.descr, err);
    return rc == OK ? read_shape(out, name, &h, file.n - begin - length, err) : rc;
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
