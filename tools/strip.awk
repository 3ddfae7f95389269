# Style sheets and scripts as they are built in: without indentation, empty lines and the comments
# that begin a line, so that pages weigh less; static/ holds what people read. No text in there may
# run over lines. Usage: awk -f tools/strip.awk FILE
{ sub(/^[ \t]+/, "") }
inside { inside = !/\*\/$/; next }
/^\/\*/ { inside = !/\*\//; next }
/./ { print }
