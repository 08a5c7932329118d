// The launcher, a module of its own without requirements: go get -tool adds one line to a
// user's go.mod, and go tool perftrack runs the main module at the launcher's version.
module github.com/perftrack/perftrack/tool

go 1.21
