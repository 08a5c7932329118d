// Package workspacetest has repositories for tests to stand in.
//
// All of it is in workspacetest.go.
package workspacetest
