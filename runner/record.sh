# The go command runs its tools through this script, whose first argument is a folder, the
# rest a tool and its arguments. When the linker has linked, the script keeps there, in a
# folder of its own, what the linker was given and the file that it made. The arguments
# come last: where they are, the rest is.
kept=$1/$$
shift
case $1:$2:$4 in
*/link:-o:-importcfg) ;;
*) exec "$@" ;;
esac
"$@" || exit
{
	mkdir "$kept" && cp "$5" "$kept/importcfg" &&
		{ ln "$3" "$kept/binary" || cp "$3" "$kept/binary"; } &&
		pwd >"$kept/dir" && env -0 >"$kept/env" &&
		printf '%s\0' "$@" >"$kept/written" && mv "$kept/written" "$kept/argv"
} 2>/dev/null
exit 0
