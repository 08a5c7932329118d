module github.com/perftrack/perftrack/engine/peers

go 1.25.0

require (
	github.com/perftrack/perftrack v0.0.0
	golang.org/x/sys v0.47.0
)

require gonum.org/v1/gonum v0.17.0

replace github.com/perftrack/perftrack => ../..
