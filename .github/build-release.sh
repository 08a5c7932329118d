#!/usr/bin/env bash
# Builds the release binaries of this platform from the commit checked out in the current
# directory:
#
#	bash .github/build-release.sh DIR
#
# writes DIR/perftrack-PLATFORM with the PLATFORM $(uname -s)-$(uname -m) of action.sh, and
# DIR/perftrack-mcp-PLATFORM, the server for agents and editors. A commit gives the same
# bytes in any directory with the same versions of Go and the C compiler. On Linux the
# binary is static and runs with any C library. GOARCH and CC build for another machine: the name has that machine,
# and the binary is tried if qemu can run it.
set -euo pipefail

[ $# = 1 ] || { echo 'usage: bash .github/build-release.sh DIR' >&2; exit 2; }
mkdir -p "$1"
machine=$(uname -m)
if [ "$(go env GOARCH)" != "$(go env GOHOSTARCH)" ]; then
	case $(go env GOARCH) in
	amd64) machine=x86_64 ;;
	arm64) machine=aarch64 ;;
	*) echo "build-release: no name for GOARCH=$GOARCH" >&2; exit 2 ;;
	esac
fi
platform=$(uname -s)-$machine
out=$(cd "$1" && pwd)/perftrack-$platform server=$(cd "$1" && pwd)/perftrack-mcp-$platform

if [ -n "$(git status --porcelain)" ]; then
	echo 'build-release: this is not what was committed: commit or remove the changes of git status' >&2
	exit 1
fi

# SQLite is C. Without extensions it needs no dlopen, and Go resolves names and users itself,
# so the static C library loads nothing at run time.
tags=sqlite_omit_load_extension,osusergo,netgo
ldflags='-s -w -buildid='
if [ "$(uname -s)" = Linux ]; then
	# Nothing may differ between builds, such as the build id of the C linker.
	ldflags="$ldflags -linkmode external -extldflags '-static -Wl,--build-id=none'"
fi
GOFLAGS='' GOWORK=off CGO_ENABLED=1 CGO_CFLAGS='-O2' CGO_LDFLAGS='' \
	go build -mod=readonly -trimpath -buildvcs=true -tags "$tags" -ldflags "$ldflags" -o "$out" ./cmd/perftrack
(
	cd mcp # a separate module without C
	GOFLAGS='' GOWORK=off CGO_ENABLED=0 \
		go build -mod=readonly -trimpath -buildvcs=true -ldflags '-s -w -buildid=' -o "$server" ./perftrack-mcp
)

# A binary that cannot store a run, or is not static, is not released.
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
run='' # the emulator for another machine
[ "$machine" = "$(uname -m)" ] || run=qemu-$machine
${run:+"$run"} "$out" version
${run:+"$run"} "$server" -version
echo 'BenchmarkX 10 100 ns/op' | ${run:+"$run"} "$out" --db "$temp/runs.db" import - >/dev/null
${run:+"$run"} "$out" --db "$temp/runs.db" db verify
# A program that is not static needs a loader of the system.
if [ "$(uname -s)" = Linux ] && readelf -lW "$out" "$server" | grep -q INTERP; then
	echo "build-release: $out or $server is not static" >&2
	exit 1
fi
