// The command perftrack-vet reports faults in benchmarks through go vet:
//
//	go vet -vettool=$(which perftrack-vet) ./...
package main

import (
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/perftrack/perftrack/runner/vet"
)

func main() { unitchecker.Main(vet.Analyzers()...) }
