package rust

import (
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/format/reading"
)

// gungraunUnits are the units of metrics whose names in JSON are not those of the text.
var gungraunUnits = map[string]string{
	"Ir": "instructions", "L1hits": "l1-hits", "LLhits": "ll-hits", "RamHits": "ram-hits", "TotalRW": "total-read+write",
	"EstimatedCycles": "estimated-cycles", "I1MissRate": "i1-miss-rate", "LLiMissRate": "lli-miss-rate", "D1MissRate": "d1-miss-rate",
	"LLdMissRate": "lld-miss-rate", "LLMissRate": "ll-miss-rate", "L1HitRate": "l1-hit-rate", "LLHitRate": "ll-hit-rate",
	"RamHitRate": "ram-hit-rate", "TotalBytes": "total-bytes", "TotalBlocks": "total-blocks", "TotalUnits": "total-units",
	"TotalEvents": "total-events", "TotalLifetimes": "total-lifetimes", "MaximumBytes": "maximum-bytes", "MaximumBlocks": "maximum-blocks",
	"AtTGmaxBytes": "at-t-gmax-bytes", "AtTGmaxBlocks": "at-t-gmax-blocks", "AtTEndBytes": "at-t-end-bytes", "AtTEndBlocks": "at-t-end-blocks",
	"ReadsBytes": "reads-bytes", "WritesBytes": "writes-bytes", "SuppressedErrors": "suppressed-errors", "SuppressedContexts": "suppressed-contexts",
}

// gungraunUnit returns the unit of a metric: by its name in JSON, or by its label in the text.
func gungraunUnit(name string) string {
	if unit := gungraunUnits[name]; unit != "" {
		return unit
	}
	return strings.ToLower(strings.Join(strings.Fields(name), "-"))
}

// undirected are the units of which more may be better: a hit in a near cache saves one in a far cache.
var undirected = []string{"l1-hits", "l2-hits", "ll-hits", "l1-accesses", "l2-accesses", "ll-hit-rate", "total-lifetimes", "total-units", "total-events"}

// declareGungraun declares a unit: the figures of Valgrind are counts, except for times.
func declareGungraun(s *reading.Sheet, unit string) error {
	if !strings.Contains(unit, "time") || strings.Contains(unit, "lifetimes") {
		if err := s.Exact(unit); err != nil {
			return err
		}
	}
	switch {
	case unit == "l1-hit-rate":
		return s.Declare(unit, "higher")
	case slices.Contains(undirected, unit):
		return nil
	}
	return s.Declare(unit, "lower")
}

// gungraunFigures are the figures of one benchmark.
type gungraunFigures struct {
	row   reading.Row
	tool  string // whose figures are read
	first int    // index of the tool's first figure
}

// begin begins the figures of a tool.
func (g *gungraunFigures) begin(tool string) {
	g.tool, g.first = strings.ToLower(tool), len(g.row.Values)
}

// add adds a figure, unless the tool has one in this unit. Several tools may have metrics of one name.
func (g *gungraunFigures) add(unit string, v float64) bool {
	switch g.tool {
	case "memcheck", "helgrind", "drd":
		unit = g.tool + "-" + unit
	}
	if g.has(unit) {
		if unit = g.tool + "-" + unit; g.tool == "" || g.has(unit) {
			return false
		}
	}
	g.row.Values = append(g.row.Values, reading.Value{V: v, Unit: unit})
	return true
}

func (g *gungraunFigures) has(unit string) bool {
	return slices.ContainsFunc(g.row.Values, func(v reading.Value) bool { return v.Unit == unit })
}

// emit emits the figures, if there are any, and begins a new benchmark.
func (g *gungraunFigures) emit(s *reading.Sheet) error {
	row := g.row
	*g = gungraunFigures{}
	if len(row.Values) == 0 {
		return nil
	}
	for _, v := range row.Values {
		if err := declareGungraun(s, v.Unit); err != nil {
			return err
		}
	}
	return s.Result(row)
}
