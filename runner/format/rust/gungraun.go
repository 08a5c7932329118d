package rust

import (
	"bufio"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/format/reading"
	"github.com/perftrack/perftrack/runner/record"
)

// Gungraun is the output of Gungraun, which was called iai-callgrind before, as text or JSON, and the
// text of iai. All figures are counts of Valgrind, so one sample is enough.
var Gungraun = reading.Format{
	Name:        "gungraun",
	Description: "text or JSON of Gungraun (iai-callgrind) and text of iai: exact counts",
	Tool:        "cargo bench, with gungraun, iai-callgrind or iai; --output-format=json",
	Yields:      reading.Samples,
	Detect: func(h *reading.Head) bool {
		if isGungraunJSON(h) {
			return true
		}
		for _, line := range h.Lines() {
			m, ok := gungraunMetric(plain(string(line)))
			if ok && m.known && bounds.IsDecimal(m.value) {
				return true
			}
		}
		return false
	},
	Marks: []string{"Instructions:", "Estimated Cycles:", "L1 Hits:"},
	Read: func(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
		in := bufio.NewReaderSize(r, reading.HeadSize)
		head, err := in.Peek(reading.HeadSize)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if isGungraunJSON(reading.NewHead(head)) {
			return readGungraunJSON(in, fileName, emit)
		}
		return readLines(in, fileName, emit, &gungraun{})
	},
}

// A gungraun reads the text line by line.
type gungraun struct {
	gungraunFigures
	open  bool // the line above belongs to the name, which may continue
	begun bool // the lines after the name have begun
	ended bool // an empty line follows figures
	other bool // the figures compare with another benchmark
}

var (
	gungraunName = regexp.MustCompile(`^[^\s:]+::[^\s:]+::\S`)
	gungraunTool = regexp.MustCompile(`^ {2}=+ ([A-Z-]+) =+$`)
	gungraunLine = regexp.MustCompile(`^ {2,}([A-Z][A-Za-z0-9 +-]*): +([^ |]*) *(\|.*|\(.*)?$`)
)

func (g *gungraun) line(s *reading.Sheet, number int, line string) error {
	switch {
	case line == "":
		g.open, g.ended = false, len(g.row.Values) > 0
		if !g.begun {
			g.row.Name = ""
		}
		return nil
	case line[0] != ' ':
		return g.unindented(s, number, line)
	}
	tool := gungraunTool.FindStringSubmatch(line)
	m, isMetric := gungraunMetric(line)
	switch {
	case tool != nil:
		g.begin(tool[1])
	case strings.HasPrefix(line, "  ## "): // one of several processes; their total comes last
		g.row.Values = g.row.Values[:g.first]
	case strings.HasPrefix(line, "  Comparison with "):
		g.other = true
	case isMetric && !g.other:
		if err := g.metric(s, number, m); err != nil {
			return err
		}
	case !isMetric:
		return nil
	}
	g.open, g.begun = false, true
	return nil
}

// unindented begins a benchmark, or continues the name of one. Benchmarks print lines, too.
func (g *gungraun) unindented(s *reading.Sheet, number int, line string) error {
	isName := gungraunName.MatchString(line)
	switch {
	case g.open && !isName:
		if len(g.row.Name) < record.MaxNameLen {
			g.row.Name += " " + line
		}
		return nil
	case g.begun && !g.ended && !isName:
		return nil
	}
	err := g.end(s)
	g.row.Name, g.row.Line, g.open = line, number, true
	return err
}

// end emits the benchmark.
func (g *gungraun) end(s *reading.Sheet) error {
	err := g.emit(s)
	*g = gungraun{}
	return err
}

func (g *gungraun) metric(s *reading.Sheet, number int, m gungraunFigure) error {
	switch {
	case m.value == "" || m.value == "N/A": // only an earlier run has it
		return nil
	case !bounds.IsDecimal(m.value) && !m.known, g.row.Name == "" && !m.known:
		return nil
	case !bounds.IsDecimal(m.value):
		return s.Bad(number, "%s is %s: not a decimal number", m.unit, bounds.Quote(m.value))
	case g.row.Name == "":
		return s.Bad(number, "figures without a benchmark")
	case len(g.row.Values) == record.MaxUnits:
		return s.Bad(number, "more than %d figures, the limit for one benchmark", record.MaxUnits)
	}
	if !g.add(m.unit, decimal(m.value)) {
		return s.Bad(number, "a second figure in %s", m.unit)
	}
	return nil
}

// A gungraunFigure is a line such as "  L1 Hits:   2359|2275   (+3.69230%) [+1.03560x]": a figure of this
// run, and of the one before.
type gungraunFigure struct {
	unit, value string
	known       bool // by its label
}

var (
	gungraunLabels = []string{"Instructions", "Estimated Cycles", "L1 Hits", "RAM Hits", "Total read+write", "Total bytes", "Errors"}
	iaiLabels      = []string{"Instructions", "L1 Accesses", "L2 Accesses", "RAM Accesses", "Estimated Cycles"}
)

// gungraunMetric splits the line of a figure. iai does not print the run before.
func gungraunMetric(line string) (f gungraunFigure, ok bool) {
	if !strings.HasPrefix(line, "  ") {
		return f, false
	}
	m := gungraunLine.FindStringSubmatch(line)
	if m == nil {
		return f, false
	}
	compared := strings.HasPrefix(m[3], "|")
	f = gungraunFigure{unit: gungraunUnit(m[1]), value: m[2], known: slices.Contains(iaiLabels, m[1])}
	ok = compared || f.known
	f.known = f.known || compared && slices.Contains(gungraunLabels, m[1])
	return f, ok
}
