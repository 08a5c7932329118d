//go:build !linux

package main

import (
	"fmt"
	"os"
)

// freeName returns a name that no other worker of the host has.
func freeName(host, _ string) (string, error) { return fmt.Sprintf("%s-%d", host, os.Getpid()), nil }
