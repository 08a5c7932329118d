#!/usr/bin/env bash
# Prints the bill of materials of a Go binary as CycloneDX JSON: the modules linked into it,
# from its build information, with the checksums of go.sum.
#
#	bash .github/sbom.sh BINARY
set -euo pipefail

[ $# = 1 ] || { echo 'usage: bash .github/sbom.sh BINARY' >&2; exit 2; }
# Paths and versions of modules have no characters to escape in JSON.
go version -m "$1" | awk -F '\t' '
	function component(type, name, version, sum) {
		text = sprintf("{\"type\": \"%s\", \"name\": \"%s\", \"version\": \"%s\"", type, name, version)
		if (type != "platform")
			text = text sprintf(", \"purl\": \"pkg:golang/%s@%s\"", name, version)
		if (sum != "")
			text = text sprintf(", \"properties\": [{\"name\": \"go.sum\", \"value\": \"%s\"}]", sum)
		return text "}"
	}
	function flush() {
		if (dep != "")
			list = list ",\n    " dep
		dep = ""
	}
	NR == 1 { n = split($1, word, ": "); go = word[n] }
	$2 == "mod" { main = component("application", $3, $4, "") }
	$2 == "dep" { flush(); dep = component("library", $3, $4, $5) }
	$2 == "=>" { dep = component("library", $3, $4, $5) } # replaces it
	END {
		flush()
		print "{\n  \"bomFormat\": \"CycloneDX\",\n  \"specVersion\": \"1.5\",\n  \"version\": 1,"
		print "  \"metadata\": {\"component\": " main "},"
		print "  \"components\": [\n    " component("platform", "go", go, "") list "\n  ]\n}"
	}'
