// Package workspacetest makes a repository and a session in it for tests.
//
// All of it is in workspacetest.go.
package workspacetest
