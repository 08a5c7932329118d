package compare

import (
	"testing"

	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/record"
)

// If a side is a single build, placement alone may have changed a time, unless the whole interval
// of the change lies beyond a fifth. It cannot have changed anything else.
func TestOneLayout(t *testing.T) {
	const (
		far  = "Far ns/op 260 262 264 266 268 270 260 262 264 266 268 270 260 262 264\nNear ns/op 80 81 82 83 80 81 82 83 80 81 82 83 80 81 82\nPart ns/op 110 119 128 110 119 128 130 135 140 128 119 110 128 119 110\n"
		from = "Far ns/op 100 101 102 103 104 105 100 101 102 103 104 105 100 101 102\nNear ns/op 100 101 102 103 100 101 102 103 100 101 102 103 100 101 102\nPart ns/op 100 101 102 100 101 102 100 101 102 100 101 102 100 101 102\n"
		b    = from + "Time ns/op 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114\nTook ns/op 220 221 222 223 224 225 226 227 228 229 230 231 232 233 234\nAllocs allocs/op 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3\n" +
			"Bytes B/op 1000 1001 1002 1003 1004 1005 1006 1007 1008 1009 1010 1011 1012 1013 1014\nSame ns/op 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7\nSize size 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"
		h = far + "Time ns/op 115 116 117 118 119 120 121 122 123 124 125 126 127 128 129\nTook ns/op 190 191 192 193 194 195 196 197 198 199 200 201 202 203 204\nAllocs allocs/op 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5\n" +
			"Bytes B/op 2000 2001 2002 2003 2004 2005 2006 2007 2008 2009 2010 2011 2012 2013 2014\nSame ns/op 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7\nSize size 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2"
	)
	moved := map[string]Verdict{"Time": Suspect, "Took": Suspect, "Far": Regressed, "Near": Improved, "Part": Suspect, "Allocs": Regressed, "Bytes": Regressed, "Same": Unchanged, "Size": Regressed}
	proven := map[string]Verdict{"Time": Regressed, "Took": Improved, "Far": Regressed, "Near": Improved, "Part": Regressed, "Allocs": Regressed, "Bytes": Regressed, "Same": Unchanged, "Size": Regressed}
	var none [2]string
	for _, procedure := range []string{"", pairs.ProcedureCheck} {
		for _, tt := range []struct {
			base, head string
			want       map[string]Verdict
			placement  [2]string
		}{
			{"default", "default", proven, [2]string{"same", "same"}}, {"default", "default", moved, [2]string{"same", ""}},
			{"default", "default", moved, none}, {"rotate", "default", moved, none}, {"default", "accept", moved, none},
			{"rotate", "rotate", proven, none}, {"seed", "seed", proven, none}, {"accept", "accept", proven, none}, {"", "", proven, none},
		} {
			b, h := trial(t, b, h)
			for _, side := range []struct {
				run               *record.Run
				layout, placement string
			}{{b.Runs[0], tt.base, tt.placement[0]}, {h.Runs[0], tt.head, tt.placement[1]}} {
				side.run.Facts = side.run.Facts.Set("placement", side.placement)
				side.run.Env = side.run.Env.Set("layout", side.layout)
				side.run.Protocol.Procedure = procedure
				for i := range side.run.Benchmarks {
					for k := range side.run.Benchmarks[i].Rounds {
						side.run.Benchmarks[i].Rounds[k].N = k + 1
					}
				}
			}
			c := Compare(b, h, Options{})
			said := 0
			for _, n := range c.Caveats {
				if n.Code == CodeLayout {
					said++
				}
			}
			for name, want := range tt.want {
				r := row(t, c, name)
				if r.Verdict != want || (r.Reason == notRotated) != (want == Suspect) {
					t.Errorf("%q layouts %q and %q: %s is %s (%s), want %s", procedure, tt.base, tt.head, name, r.Verdict, r.Reason, want)
				}
			}
			if (said == 1) != (tt.want["Time"] == Suspect) || said > 1 {
				t.Errorf("%q layouts %q and %q: %d caveats", procedure, tt.base, tt.head, said)
			}
		}
	}
}
