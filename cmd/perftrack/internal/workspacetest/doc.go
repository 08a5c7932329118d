// Package workspacetest creates a repository, and a session in it, for tests.
//
// All the code is in workspacetest.go.
package workspacetest
