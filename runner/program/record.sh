# The go command runs its tools through this script. Its first argument is a folder; the rest is a
# tool and its arguments. After each link the script keeps the linker's input and output in a folder
# of its own there. The arguments are written last, so a folder that has them is complete.
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
