// How often perftrack is wrong, a module of its own: whoever builds perftrack does not build the
// simulations.
module github.com/perftrack/perftrack/compare/evaluation

go 1.25.0

require (
	github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794
	github.com/perftrack/perftrack v0.0.0
)

require (
	github.com/go-json-experiment/json v0.0.0-20251027170946-4849db3c2f7e // indirect
	golang.org/x/perf v0.0.0-20260709024250-82a0b07e230d // indirect
	golang.org/x/sys v0.47.0 // indirect
)

replace github.com/perftrack/perftrack => ../..
