# Style sheets, scripts and templates as they are built in: without indentation, empty lines and
# comments that begin or end a line, most lines joined and some spaces left out, so that pages weigh
# less; the sources are what people read. No text in there may run over lines.
# Usage: awk -f tools/strip.awk FILE
{ sub(/^[ \t]+/, "") }
inside { inside = !/\*\/$/; next }
/^\/\*/ { inside = !/\*\//; next }
{ sub(/ \/\* [^*]*\*\/$/, "") }
FILENAME ~ /css$/ && !/"/ { gsub(/, /, ",") }
FILENAME ~ /css$/ { sub(/ \{$/, "{") }
FILENAME ~ /css$/ && /[;{},]$/ {
    between = declared && !/^}/ ? ";" : ""
    declared = /;$/
    if (declared) { sub(/: /, ":"); sub(/;$/, "") }
    printf "%s%s", between, $0
    next
}
# Lines that hold no text, no regular expression and no comment.
FILENAME ~ /js$/ && !/["'`\/]/ {
    gsub(/ => /, "=>"); gsub(/ = /, "="); gsub(/ === /, "==="); gsub(/, /, ",")
    gsub(/ && /, "\\&\\&"); gsub(/\) \{/, "){"); gsub(/=> ?\{/, "=>{")
}
FILENAME ~ /js$/ && /[;{,(]$/ && !/\/\// { printf "%s", $0; next }
/./ { print }
