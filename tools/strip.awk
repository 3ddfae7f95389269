# Style sheets, scripts and templates as they are built in: without indentation, empty lines and
# comments that begin or end a line, most lines joined, so that pages weigh less; the sources are
# what people read. No text in there may run over lines. Usage: awk -f tools/strip.awk FILE
{ sub(/^[ \t]+/, "") }
inside { inside = !/\*\/$/; next }
/^\/\*/ { inside = !/\*\//; next }
{ sub(/ \/\* [^*]*\*\/$/, "") }
FILENAME ~ /css$/ && /[;{},]$/ { printf "%s", $0; next }
FILENAME ~ /js$/ && /[;{,(]$/ && !/\/\// { printf "%s", $0; next }
/./ { print }
