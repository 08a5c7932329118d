#!/usr/bin/env bash
# The steps of action.yml. Inputs and fields of the event arrive as environment
# variables only. A step that starts perftrack ends in exec, so that perftrack receives
# the cancellation of a job: the runner signals the first process of a step only.
set -euo pipefail

home="$RUNNER_TEMP/perftrack"
perftrack="$home/perftrack"

fail() {
	printf '::error title=perftrack::%s\n' "$1"
	exit 2
}

# guard: a fork's code may leave something behind on a self-hosted runner. Merge groups are
# approved code.
guard() {
	if [ "${RUNNER_ENVIRONMENT:-}" != self-hosted ] || [ "$GITHUB_EVENT_NAME" = merge_group ] || [ "${HEAD_REPOSITORY:-}" = "$GITHUB_REPOSITORY" ] || [ "${ALLOW_FORK:-}" = true ]; then
		return
	fi
	fail 'this pull request comes from a fork and this runner is self-hosted: its code was not run (see allow-fork-on-self-hosted in perftrack help github self-hosted-runners)'
}

# install: downloads the binary of this release if the action knows its hash; else
# builds it from the action's source, with or without a C compiler.
install() {
	mkdir -p "$home/out"
	local known="$GITHUB_ACTION_PATH/.github/release.txt" platform hash url
	platform="$(uname -s)-$(uname -m)"
	if [ -f "$known" ]; then
		while read -r p hash url; do
			if [ "$p" = "$platform" ] && download "$hash" "$url"; then
				return
			fi
		done <"$known"
	fi
	printf 'perftrack: building it from source, because this commit of the action has no binary for %s (see .github/release.txt)\n' "$platform"
	command -v go >/dev/null || fail 'this release has no binary for the platform, and Go is not installed to build one: add actions/setup-go before perftrack'
	cd "$GITHUB_ACTION_PATH"
	# SQLite at -O2 takes half of the time of a build without caches, and a job stores little.
	# actions/setup-go sets GOTOOLCHAIN=local; its Go may be too old for perftrack.
	GOTOOLCHAIN=auto GOFLAGS='' GOWORK=off CGO_CFLAGS=-O0 exec env -u CGO_ENABLED go build -trimpath -ldflags='-s -w' -o "$perftrack" ./cmd/perftrack
}

# download fails if the address has no file. It does not retry after a wrong hash.
download() {
	curl --proto '=https' --fail --silent --show-error --location --retry 3 --output "$perftrack.new" "$2" || return 1
	local sum
	if command -v sha256sum >/dev/null; then
		sum=$(sha256sum "$perftrack.new")
	else
		sum=$(shasum -a 256 "$perftrack.new")
	fi
	[ "${sum%% *}" = "$1" ] || fail 'the downloaded binary does not have the hash of the released one'
	chmod +x "$perftrack.new"
	mv "$perftrack.new" "$perftrack"
}

# pushed_onto prints the base of a push, so that a push of several commits is measured as a
# whole, and a push that GitHub skipped in its queue is measured as the base of the next one.
# After a rewrite it prints the parent commit.
pushed_onto() {
	if [[ ${BEFORE:-} =~ ^([0-9a-f]{40}|[0-9a-f]{64})$ ]] && [ "$BEFORE" != "$(git rev-parse HEAD)" ] && git merge-base --is-ancestor "$BEFORE" HEAD 2>/dev/null; then
		printf '%s\n' "$BEFORE"
		return
	fi
	git rev-parse --verify --quiet 'HEAD~1^{commit}'
}

hash() {
	[[ $1 =~ ^([0-9a-f]{40}|[0-9a-f]{64})$ ]] || fail "the event does not name a $2 commit: use this command only with pull_request or merge_group"
}

run() {
	export PERFTRACK_DB="$home/runs.db"
	local strict=() asked=() shard=() explain=()
	[ "$STRICT" != true ] || strict=(--strict)
	case $COMMAND in
	measure)
		hash "$BASE_SHA" base
		hash "$HEAD_SHA" head
		local base tip
		# The base in the event is as old as the last push. Commits merged from the base branch
		# since then do not belong to the pull request. A merge group names no branch: it is
		# measured against its own base.
		tip=$(git rev-parse --verify --quiet "refs/remotes/origin/${BASE_REF:-}^{commit}") || tip=$BASE_SHA
		base=$(git merge-base "$tip" "$HEAD_SHA") || fail 'the checkout has no common commit of the pull request and its base branch: check out with fetch-depth: 0'
		# A measurement on demand is always needed.
		if [ -z "${ASKED:-}" ]; then
			asked=("--if-needed=$tip")
		elif [ -n "${BENCH:-}" ]; then
			asked=("--bench=$BENCH")
		fi
		[ -z "${SHARD:-}" ] || shard=("--shard=$SHARD/${SHARDS:-}")
		rm -f "$home/out/why.txt"
		[ "${EXPLAIN:-}" != true ] || explain=(--explain --explain-budget=5m "--explain-file=$home/out/why.txt")
		exec env -u GITHUB_TOKEN "$perftrack" check --base "$base" --head "$HEAD_SHA" --budget "$BUDGET" ${shard[@]+"${shard[@]}"} ${asked[@]+"${asked[@]}"} ${explain[@]+"${explain[@]}"} ${strict[@]+"${strict[@]}"}
		;;
	comment)
		[ -z "${ASKED:-}" ] || asked=("--asked=$ASKED")
		exec "$perftrack" ci comment --comment "$COMMENT" --workflow "$NAME" ${asked[@]+"${asked[@]}"} ${strict[@]+"${strict[@]}"}
		;;
	ask)
		exec "$perftrack" ci ask --workflow "$NAME"
		;;
	history)
		local against
		if [ "$GITHUB_EVENT_NAME" = push ] && against=$(pushed_onto); then
			exec env -u GITHUB_TOKEN "$perftrack" run --against "$against"
		fi
		exec env -u GITHUB_TOKEN "$perftrack" run
		;;
	publish)
		if [ -s "$RUNNER_TEMP/perftrack-history/trial.txt" ]; then
			"$perftrack" import "$RUNNER_TEMP/perftrack-history/trial.txt"
		else
			printf '::warning title=perftrack::nothing was measured: see the measure job\n'
		fi
		env -u PERFTRACK_WEBHOOK "$perftrack" sync origin
		# For the charts of comments; the history does not need them.
		if ! env -u GITHUB_TOKEN -u PERFTRACK_WEBHOOK "$perftrack" export --to medians >"$home/out/medians.json"; then
			printf '::warning title=perftrack::the medians for the charts in comments could not be written\n'
			rm -f "$home/out/medians.json"
		fi
		# Readers of the default branch do not need the steps of other branches.
		local branch=${GITHUB_REF_NAME:-} slack=() author=()
		[ "${SLACK:-}" != true ] || [ -z "${PERFTRACK_WEBHOOK:-}" ] || slack=(--slack)
		[ -z "${AUTHOR:-}" ] || author=("--author=$AUTHOR")
		if [ -z "${GITHUB_TOKEN:-}${PERFTRACK_WEBHOOK:-}" ] || [ -z "$branch" ] || [ "${DEFAULT_BRANCH:-$branch}" != "$branch" ]; then
			exit 0
		fi
		exec "$perftrack" ci notify --branch "$branch" ${slack[@]+"${slack[@]}"} ${author[@]+"${author[@]}"}
		;;
	site)
		git ls-remote --exit-code origin 'refs/perftrack/*' >/dev/null ||
			fail 'there is no history to make a page from: run the workflow perftrack history first'
		# A page with gaps must show that it has gaps.
		local code=0
		"$perftrack" sync origin --no-push --format csv >"$home/sync.csv" || code=$?
		cat "$home/sync.csv"
		[ "$code" = 0 ] || exit "$code"
		if grep -q '^left out,' "$home/sync.csv"; then
			printf '::warning title=perftrack::unreadable parts of the history are missing from the page: see the log\n'
		fi
		exec env -u GITHUB_TOKEN "$perftrack" report --format html -o "$home/out/site"
		;;
	esac
	fail 'command must be measure, comment, ask, history, publish or site'
}

# export writes the trial of the job's database, preceded by explanations as comments. The
# measurements behind the explanations are not exported.
export_runs() {
	local trial
	[ -f "$home/runs.db" ] || return 0
	: >"$home/out/trial.txt"
	[ ! -f "$home/out/why.txt" ] || cat "$home/out/why.txt" >"$home/out/trial.txt"
	export PERFTRACK_DB="$home/runs.db"
	trial=$("$perftrack" list trials --format csv | sed 1d | tail -n 1 | cut -d , -f 1)
	exec "$perftrack" export ${trial:+"$trial"} >>"$home/out/trial.txt"
}

case ${1:-} in
guard) guard ;;
install) install ;;
run) run ;;
export) export_runs ;;
*) fail 'unknown step' ;;
esac
