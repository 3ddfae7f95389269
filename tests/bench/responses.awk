# responses.awk - responses for the bench, as CSV, always the same:
#   awk -v images=6761 -v responses=59580 -f responses.awk    about as many labels and objects as in the published ones
#   awk -v many=1 -f responses.awk                            one image, 12 labels, every choice of 6 of them: 10,395 ways to
#                                                             part them are as good as each other
function next_below(n) { seed = (seed * 1103515245 + 12345) % 2147483648; return int(seed / 65536) % n }
BEGIN {
    print "image,response,main,selected"
    if (many) {
        for (mask = 0; mask < 4096; mask++) {
            chosen = ""; first = ""; n = 0
            for (i = 0; i < 12; i++) if (int(mask / 2 ^ i) % 2) {
                if (!n++) first = i
                chosen = chosen (n > 1 ? "+" : "") i
            }
            if (n == 6) printf "many,%d,%d,%s\n", row++, first, chosen
        }
        exit
    }
    seed = 18
    for (i = 0; i < images; i++) {
        of_image = int((i + 1) * responses / images) - int(i * responses / images)
        objects = next_below(10) < 7 ? 1 : next_below(10) < 7 ? 2 : 3 + next_below(4)
        for (r = 0; r < of_image; r++) {
            n = next_below(10) < 8 ? objects : 1 + next_below(objects)
            main = ""; chosen = ""
            for (o = 0; o < n; o++) { # each object has two labels
                label = (i * 7 + 2 * o + (next_below(4) == 0)) % 1000
                main = o == 0 || next_below(5) == 0 ? label : main
                chosen = chosen (o ? "+" : "") label
            }
            printf "image_%08d.jpg,%d,%d,%s\n", i, r, main, chosen
        }
    }
}
