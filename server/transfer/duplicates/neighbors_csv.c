/* neighbors_csv.c - one line a pair. */
#include "transfer/duplicates/neighbors_csv.h"

#include "formats/csv.h"

enum { OUT_MOST = 1 << 26 };

void neighbors_csv_begin(struct neighbors_csv *csv, struct transfer *tr, enum search_kind kind)
{
    *csv = (struct neighbors_csv){.tr = tr, .kind = kind};
    str_init(&csv->out, OUT_MOST);
    str_addz(&csv->out, "image,rank,neighbor,distance\n");
}

void neighbors_csv_add(struct neighbors_csv *csv, struct sv image, uint32_t rank, struct sv neighbor, double distance)
{
    csv_cell(&csv->out, image);
    str_printf(&csv->out, ",%u,", rank);
    csv_cell(&csv->out, neighbor);
    str_addc(&csv->out, ',');
    if (csv->kind == SEARCH_PIXELS) {
        str_printf(&csv->out, "%.0f", distance);
    } else {
        csv_number(&csv->out, distance);
    }
    str_addc(&csv->out, '\n');
    csv->rows++;
}

enum err_code neighbors_csv_end(struct neighbors_csv *csv, enum err_code rc)
{
    return transfer_end(csv->tr, &csv->out, rc);
}
