# Style sheets, scripts and templates as they are built in: without indentation, empty lines and
# comments that begin or end a line, most lines joined and some spaces left out, so that pages weigh
# less; the sources are what people read. No text in there may run over lines.
# Usage: awk -f tools/strip.awk FILE
function tight(code) {
    gsub(/ => /, "=>", code); gsub(/ = /, "=", code); gsub(/ === /, "===", code); gsub(/, /, ",", code)
    gsub(/ && /, "\\&\\&", code); gsub(/\) \{/, "){", code); gsub(/=> ?\{/, "=>{", code)
    return code
}
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
# Of a script, what lies between texts, on lines without a regular expression, a comment or a text of another kind.
FILENAME ~ /js$/ && !/['`\/\\]/ {
    n = split($0, part, "\"")
    $0 = tight(part[1])
    for (i = 2; i <= n; i++) { $0 = $0 "\"" (i % 2 ? tight(part[i]) : part[i]) }
}
FILENAME ~ /js$/ && /[;{,(]$/ && !/\/\// { printf "%s", $0; next }
# Templates: a line that ends inside a tag or a sentence goes on after a space; but a tag of Mustache alone on its line
# stays so, and so do the lines of <pre>.
FILENAME ~ /mustache$/ && /./ {
    alone = /^\{\{[#^\/>!][^}]*\}\}$/
    between = within && !alone && (goes_on || !/^(<|\{\{)/) ? " " : "\n"
    printf "%s%s", (open ? between : ""), $0
    open = 1
    if (/<pre/) { pre = 1 }
    if (/<\/pre>/) { pre = 0 }
    within = !alone && !pre
    goes_on = /<[^<>]*$/ || !/(>|\}\})$/
    next
}
/./ { print }
END { if (open) { print "" } }
