package history

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
)

func TestCommands(t *testing.T) {
	a, b := strings.Repeat("a", 40), strings.Repeat("b", 40)
	sort := StepRange{Target: "go", BenchmarkID: record.BenchmarkID{Package: "example.com/sorty", Name: "Sort/n=1000"}, Unit: "ns/op", After: a, UpTo: b, Commits: 5, OneTarget: true, DefaultUnits: true}
	with := func(change func(p *StepRange)) StepRange {
		p := sort
		change(&p)
		return p
	}
	for name, test := range map[string]struct {
		p            StepRange
		accept, find string
	}{
		"plain": {sort, `perftrack ci accept example.com/sorty.Sort/n=1000 --commit bbbbbbbbbbbb --reason ""`,
			`perftrack bisect-helper auto aaaaaaaaaaaa..bbbbbbbbbbbb --bench Sort/n=1000 --package example.com/sorty`},
		"one of several targets, another unit": {with(func(p *StepRange) { p.OneTarget, p.DefaultUnits, p.Unit, p.Target = false, false, "B/op", "my target" }),
			`perftrack ci accept example.com/sorty.Sort/n=1000 --target 'my target' --commit bbbbbbbbbbbb --reason ""`,
			`perftrack bisect-helper auto aaaaaaaaaaaa..bbbbbbbbbbbb --bench Sort/n=1000 --package example.com/sorty --unit B/op --target 'my target'`},
		"one commit": {with(func(p *StepRange) { p.Commits = 1 }), `perftrack ci accept example.com/sorty.Sort/n=1000 --commit bbbbbbbbbbbb --reason ""`,
			`perftrack explain aaaaaaaaaaaa bbbbbbbbbbbb --bench Sort/n=1000`},
		"found": {with(func(p *StepRange) {
			p.Found = steps.Found{Commit: strings.Repeat("c", 40), Before: strings.Repeat("d", 40)}
		}), `perftrack ci accept example.com/sorty.Sort/n=1000 --commit cccccccccccc --reason ""`,
			`perftrack explain dddddddddddd cccccccccccc --bench Sort/n=1000`},
		"one commit of another program": {with(func(p *StepRange) { p.Commits, p.Opaque = 1, true }), `perftrack ci accept example.com/sorty.Sort/n=1000 --commit bbbbbbbbbbbb --reason ""`, ""},
		"many commits of another program": {with(func(p *StepRange) { p.Opaque = true }), `perftrack ci accept example.com/sorty.Sort/n=1000 --commit bbbbbbbbbbbb --reason ""`,
			`perftrack bisect-helper auto aaaaaaaaaaaa..bbbbbbbbbbbb --bench Sort/n=1000 --package example.com/sorty`},
		"drift": {with(func(p *StepRange) { p.Drift = 9 }), `perftrack ci accept example.com/sorty.Sort/n=1000 --commit bbbbbbbbbbbb --reason ""`,
			`perftrack run --rev bbbbbbbbbbbb --against aaaaaaaaaaaa --bench Sort/n=1000`},
		"commits of elsewhere": {with(func(p *StepRange) { p.Commits = 0 }), `perftrack ci accept example.com/sorty.Sort/n=1000 --commit ` + b + ` --reason ""`, ""},
		"no commit":            {with(func(p *StepRange) { p.UpTo = "" }), "", ""},
		"a flag":               {with(func(p *StepRange) { p.Package, p.Name = "", "--help" }), `perftrack ci accept --commit bbbbbbbbbbbb --reason "" -- '--help'`, `perftrack bisect-helper auto aaaaaaaaaaaa..bbbbbbbbbbbb --bench='--help'`},
		"a script": {with(func(p *StepRange) { p.Package, p.Name = "", "$(rm -rf ~);`x`'\"" }), `perftrack ci accept '$(rm -rf ~);` + "`x`" + `'\''"' --commit bbbbbbbbbbbb --reason ""`,
			`perftrack bisect-helper auto aaaaaaaaaaaa..bbbbbbbbbbbb --bench '$(rm -rf ~);` + "`x`" + `'\''"'`},
	} {
		if got := test.p.AcceptCommand(); got != test.accept {
			t.Errorf("%s: %s\nwant %s", name, got, test.accept)
		}
		if got := test.p.FindCommand(); got != test.find {
			t.Errorf("%s: %s\nwant %s", name, got, test.find)
		}
	}
}
