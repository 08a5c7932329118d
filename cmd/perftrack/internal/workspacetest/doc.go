// Package workspacetest has repositories for tests to stand in.
package workspacetest
