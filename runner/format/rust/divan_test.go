package rust_test

import (
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

const divanTable = `     Running benches/example.rs (target/release/deps/example-0123456789abcdef)
Timer precision: 20 ns
example          fastest       │ slowest       │ median        │ mean          │ samples │ iters
├─ add           0.5 ns        │ 1.5 ns        │ 0.75 ns       │ 1 ns          │ 100     │ 819200
├─ fibonacci                   │               │               │               │         │
│  ├─ 1          57.5 ns       │ 62.5 ns       │ 58 ns         │ 60 ns         │ 100     │ 12800
│  ╰─ a b        2.874 µs      │ 3.812 µs      │ 2.916 µs      │ 3 µs          │ 50      │ 200
├─ old           (ignored)     │               │               │               │         │
├─ sort                        │               │               │               │         │
│  ╰─ by                       │               │               │               │         │
│     ├─ Vec     6.25 ms       │ 7 ms          │ 6.5 ms        │ 6.5 ms        │ 10      │ 10
│     │          16 GB/s       │ 14 GB/s       │ 15 GB/s       │ 15 GB/s       │         │
│     │          1.6 Mitem/s   │ 1.4 Mitem/s   │ 1.5 Mitem/s   │ 1.5 Mitem/s   │         │
│     │          max alloc:    │               │               │               │         │
│     │            9           │ 9             │ 9             │ 9             │         │
│     │            9 B         │ 9 B           │ 9 B           │ 9 B           │         │
│     │          alloc:        │               │               │               │         │
│     │            2           │ 2             │ 2             │ 2.5           │         │
│     │            1 KB        │ 1 KB          │ 1 KB          │ 1.5 KB        │         │
│     │          dealloc:      │               │               │               │         │
│     │            7           │ 7             │ 7             │ 7             │         │
│     │            7 B         │ 7 B           │ 7 B           │ 7 B           │         │
│     ╰─ broken  6.25 ms       │ 7 ms          │ 6.5 ms        │ soon          │ 10      │ 10
╰─ last          1 s           │ 3 s           │ 2 s           │ 2 s           │ 3       │ 3

text
other    fastest  │ slowest  │ median   │ mean     │ samples │ iters
╰─ add   1 ns     │ 3 ns     │ 2 ns     │ 2 ns     │ 3       │ 3
`

func TestDivan(t *testing.T) {
	formattest.Check(t, "divan", divanTable, `
		Unit ns/op from=ns
		example::add 819200 1 ns/op 0.5 low-ns/op 1.5 high-ns/op 100 summary-n
		example::fibonacci::1 12800 60 ns/op 57.5 low-ns/op 62.5 high-ns/op 100 summary-n
		Unit ns/op from=µs
		example::fibonacci::a_b 200 3000 ns/op 2874 low-ns/op 3812 high-ns/op 50 summary-n
		left out f:8: example::old: it is ignored
		Unit ns/op from=ms
		Unit MB/s from=GB/s
		Unit items/s better=higher
		Unit items/s from=Mitem/s
		Unit B/op from=KB/op
		example::sort::by::Vec 10 6.5e+06 ns/op 15000 MB/s 1.5e+06 items/s 2.5 allocs/op 1500 B/op 6.25e+06 low-ns/op 7e+06 high-ns/op 10 summary-n
		error f:23: example::sort::by::broken: "soon" is not a time
		Unit ns/op from=s
		example::last 3 2e+09 ns/op 1e+09 low-ns/op 3e+09 high-ns/op 3 summary-n
		other::add 3 2 ns/op 1 low-ns/op 3 high-ns/op 3 summary-n
	`)
}

func FuzzDivan(f *testing.F) { formattest.Fuzz(f, "divan", divanTable) }
