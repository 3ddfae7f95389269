#!/bin/sh
# Writes an assembler file that holds every built-in file and the sorted table base/assets.h
# describes. Usage: STRIPPED=FOLDER tools/assets.sh FILE... > assets.S (names are paths from the
# project's root; style sheets, scripts and templates are read from FOLDER, see tools/strip.awk)
set -eu
export LC_ALL=C
files=$(printf '%s\n' "$@" | sort -u)
i=0
# Without its mark the linker would take every jump to be unchecked.
printf '#ifdef __CET__\n#include <cet.h>\n#endif\n'
echo '    .section .rodata'
for f in $files; do
    case $f in
    *.css | *.js | *.mustache) from=$STRIPPED/$f ;;
    *) from=$f ;;
    esac
    printf '    .balign 16\na%d:\n    .incbin "%s"\na%d_end:\n    .byte 0\nn%d:\n    .asciz "%s"\n' \
        $i "$from" $i $i "$f"
    i=$((i + 1))
done
echo '    .section .data.rel.ro,"aw"'
echo '    .globl assets'
echo '    .balign 16'
echo 'assets:'
j=0
while [ $j -lt $i ]; do
    printf '    .quad n%d, a%d, a%d_end - a%d\n' $j $j $j $j
    j=$((j + 1))
done
echo '    .globl assets_count'
printf 'assets_count:\n    .quad %d\n' $i
echo '    .section .note.GNU-stack,"",@progbits'
