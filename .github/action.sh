#!/usr/bin/env bash
# The steps of action.yml. Inputs and fields of the event come as environment
# variables only. Each step that starts perftrack ends in exec, so that a cancelled
# job reaches it: the runner signals the step's first process and no other.
set -euo pipefail

home="$RUNNER_TEMP/perftrack"
perftrack="$home/perftrack"

fail() {
	printf '::error title=perftrack::%s\n' "$1"
	exit 2
}

# guard: a self-hosted runner keeps what a fork's code did to it. What is in a merge group
# has been approved.
guard() {
	if [ "${RUNNER_ENVIRONMENT:-}" != self-hosted ] || [ "$GITHUB_EVENT_NAME" = merge_group ] || [ "${HEAD_REPOSITORY:-}" = "$GITHUB_REPOSITORY" ] || [ "${ALLOW_FORK:-}" = true ]; then
		return
	fi
	fail 'this pull request comes from a fork and this runner is self-hosted: its code is not run here (see allow-fork-on-self-hosted in perftrack help github self-hosted-runners)'
}

# install: the binary of this very release, if the action knows its hash; else
# built from the action's own source, with a C compiler or without.
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
	printf 'perftrack: this commit of the action has no binary for %s (.github/release.txt): building it from source\n' "$platform"
	command -v go >/dev/null || fail 'there is no binary of this release for this platform and no Go to build it: add actions/setup-go before perftrack'
	cd "$GITHUB_ACTION_PATH"
	# SQLite at -O2 would take half of the time of a build without caches, and a job stores little.
	# actions/setup-go sets GOTOOLCHAIN=local; its Go may be older than perftrack asks for.
	GOTOOLCHAIN=auto GOFLAGS='' GOWORK=off CGO_CFLAGS=-O0 exec env -u CGO_ENABLED go build -trimpath -ldflags='-s -w' -o "$perftrack" ./cmd/perftrack
}

# download fails if there is nothing at the address; another content than the one
# that was released is never tried again.
download() {
	curl --proto '=https' --fail --silent --show-error --location --retry 3 --output "$perftrack.new" "$2" || return 1
	local sum
	if command -v sha256sum >/dev/null; then
		sum=$(sha256sum "$perftrack.new")
	else
		sum=$(shasum -a 256 "$perftrack.new")
	fi
	[ "${sum%% *}" = "$1" ] || fail 'the binary of this release is not the one that was released'
	chmod +x "$perftrack.new"
	mv "$perftrack.new" "$perftrack"
}

# pushed_onto prints what a push was made onto: one of several commits is measured as a whole,
# and one whose own measurement was skipped, because GitHub lets only the newest wait, is
# measured as what the next is compared with. After a rewrite it is the commit before.
pushed_onto() {
	if [[ ${BEFORE:-} =~ ^([0-9a-f]{40}|[0-9a-f]{64})$ ]] && [ "$BEFORE" != "$(git rev-parse HEAD)" ] && git merge-base --is-ancestor "$BEFORE" HEAD 2>/dev/null; then
		printf '%s\n' "$BEFORE"
		return
	fi
	git rev-parse --verify --quiet 'HEAD~1^{commit}'
}

hash() {
	[[ $1 =~ ^([0-9a-f]{40}|[0-9a-f]{64})$ ]] || fail "the event names no $2 commit: this command is for pull_request and merge_group"
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
		# The event's base is as old as the last push: what came into its branch since, and
		# from there into the pull request, is not of the pull request. A merge group names no
		# branch: it is measured against the commit that it was put on.
		tip=$(git rev-parse --verify --quiet "refs/remotes/origin/${BASE_REF:-}^{commit}") || tip=$BASE_SHA
		base=$(git merge-base "$tip" "$HEAD_SHA") || fail 'the pull request and its base branch have no commit in common here: check out with fetch-depth: 0'
		# What somebody asked for is needed.
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
		exec "$perftrack" comment --comment "$COMMENT" --workflow "$NAME" ${asked[@]+"${asked[@]}"} ${strict[@]+"${strict[@]}"}
		;;
	ask)
		exec "$perftrack" ask --workflow "$NAME"
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
			printf '::warning title=perftrack::nothing was measured: see the job measure\n'
		fi
		# This is the one job that packs what others push as single references.
		env -u PERFTRACK_WEBHOOK "$perftrack" sync origin --compact
		# Comments draw them; the history is complete without.
		if ! env -u GITHUB_TOKEN -u PERFTRACK_WEBHOOK "$perftrack" export --to medians >"$home/out/medians.json"; then
			printf '::warning title=perftrack::the medians for the charts of comments could not be written\n'
			rm -f "$home/out/medians.json"
		fi
		# Steps of another branch are no news to those who read of the default one.
		local branch=${GITHUB_REF_NAME:-} slack=() author=()
		[ "${SLACK:-}" != true ] || [ -z "${PERFTRACK_WEBHOOK:-}" ] || slack=(--slack)
		[ -z "${AUTHOR:-}" ] || author=("--author=$AUTHOR")
		if [ -z "${GITHUB_TOKEN:-}${PERFTRACK_WEBHOOK:-}" ] || [ -z "$branch" ] || [ "${DEFAULT_BRANCH:-$branch}" != "$branch" ]; then
			exit 0
		fi
		exec "$perftrack" notify --branch "$branch" ${slack[@]+"${slack[@]}"} ${author[@]+"${author[@]}"}
		;;
	site)
		git ls-remote --exit-code origin 'refs/perftrack/*' >/dev/null ||
			fail 'there is no history to make a page of: run the workflow perftrack history first'
		# A page that has less than the history must not look as if it had all.
		local code=0
		"$perftrack" sync origin --no-push 2>"$home/sync.txt" || code=$?
		cat "$home/sync.txt" >&2
		[ "$code" = 0 ] || exit "$code"
		if grep -q ' left out' "$home/sync.txt"; then
			printf '::warning title=perftrack::the page lacks what could not be read of the history: see the log\n'
		fi
		exec env -u GITHUB_TOKEN "$perftrack" report --format html -o "$home/out/site"
		;;
	esac
	fail 'command is not measure, comment, ask, history, publish or site'
}

# export writes the trial of the job's own database, and before it, as comments, why
# something regressed. What was measured to explain it stays here.
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
