#!/usr/bin/env bash
# Builds the release binaries of this platform from the commit that is checked out in the
# current directory:
#
#	bash .github/build-release.sh DIR
#
# writes DIR/perftrack-PLATFORM, where PLATFORM is $(uname -s)-$(uname -m), as action.sh
# looks for it, and DIR/perftrack-mcp-PLATFORM, the server for agents and editors. The same commit gives the same bytes in any directory, with the same
# versions of Go and of the C compiler. On Linux the binary is static: it runs whatever
# C library a machine has. GOARCH and CC build for another machine; then the name has that
# one's, and the binary is tried where qemu runs it.
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

# SQLite is C. It needs no dlopen without extensions, and Go resolves names and users
# itself, so that the static C library has nothing to load at run time.
tags=sqlite_omit_load_extension,osusergo,netgo
ldflags='-s -w -buildid='
if [ "$(uname -s)" = Linux ]; then
	# Nothing that tells one build from another: no build id of the C linker either.
	ldflags="$ldflags -linkmode external -extldflags '-static -Wl,--build-id=none'"
fi
GOFLAGS='' GOWORK=off CGO_ENABLED=1 CGO_CFLAGS='-O2' CGO_LDFLAGS='' \
	go build -mod=readonly -trimpath -buildvcs=true -tags "$tags" -ldflags "$ldflags" -o "$out" ./cmd/perftrack
(
	cd mcp # a module of its own, and no C in it
	GOFLAGS='' GOWORK=off CGO_ENABLED=0 \
		go build -mod=readonly -trimpath -buildvcs=true -ldflags '-s -w -buildid=' -o "$server" ./perftrack-mcp
)

# What cannot keep a run, or is not static, is not released.
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
run='' # what runs programs of another machine
[ "$machine" = "$(uname -m)" ] || run=qemu-$machine
${run:+"$run"} "$out" version
${run:+"$run"} "$server" -version
echo 'BenchmarkX 10 100 ns/op' | ${run:+"$run"} "$out" --db "$temp/runs.db" import - >/dev/null
${run:+"$run"} "$out" --db "$temp/runs.db" db verify
# A program that is not static has the system load another one first.
if [ "$(uname -s)" = Linux ] && readelf -lW "$out" "$server" | grep -q INTERP; then
	echo "build-release: $out or $server is not static" >&2
	exit 1
fi
