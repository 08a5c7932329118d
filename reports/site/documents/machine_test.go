package documents

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/reports/environments"
	"github.com/perftrack/perftrack/runner/record"
)

// sides compares the two sides of a trial. The trial has one benchmark for each element of
// percents, and the element is the scatter of its values. On head, the benchmarks are slower by the
// given factor.
func sides(procedure string, rounds int, percents []float64, factor float64) *compare.Comparison {
	side := func(s record.Side) compare.Side {
		r := &record.Run{Target: "go", Trial: "t1", Side: s, Status: record.Complete}
		pairs.SetDecision(r)
		if procedure != "" {
			r.Protocol.Procedure = procedure
		}
		for b, percent := range percents {
			bench := record.Benchmark{BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: fmt.Sprintf("B%d", b)}}
			var values []float64
			for n := range rounds {
				k := 0
				if s == record.Head {
					k = 1
				}
				// A fixed sequence without a trend, different on each side.
				x := 1000 * (1 + percent/100*math.Sin(float64(7*n+13*k+b+3*n*n*k)))
				if s == record.Head {
					x *= factor
				}
				values = append(values, x)
				bench.Rounds = append(bench.Rounds, record.Round{N: n + 1, Order: k, Iters: 100, Seed: uint64(n + 1)})
			}
			bench.Samples = []record.Samples{{Unit: "ns/op", Values: values}}
			r.Benchmarks = append(r.Benchmarks, bench)
		}
		return compare.Side{Runs: []*record.Run{r}}
	}
	return compare.Compare(side(record.Base), side(record.Head), compare.Options{})
}

func TestMachine(t *testing.T) {
	index := &Index{Meta: Meta{Alpha: 0.01, Threshold: 0.05}, Environments: []environments.Environment{{ID: "e0", Last: 2000}, {ID: "e1"}}}
	l := NewMachineList(index)
	at := func(seconds int64, env int) Subject {
		return Subject{Trial: fmt.Sprint("t", seconds), Target: "go", Environment: env, Time: time.Unix(seconds, 0), Load: math.NaN()}
	}
	c := sides(pairs.ProcedureCalibrate, 20, []float64{1, 2, 8}, 1)
	l.AddCalibration(at(1000, 0), c)
	two := sides("", 40, []float64{1, 1}, 1.5)
	l.AddTrial(at(1500, 0), two)
	l.AddCalibration(at(1200, 1), sides(pairs.ProcedureCalibrate, 2, []float64{1}, 1)) // too few rounds for a result
	doc := l.Document()
	if len(doc.Calibrations) != 1 || len(doc.Trials) != 1 || len(doc.Trust) != 2 {
		t.Fatalf("document %+v", doc)
	}
	got := doc.Calibrations[0]
	// Calculate by hand the spread of the log ratios, and the change that a check of three rows
	// finds.
	spreadOf := func(c *compare.Comparison, row int) float64 {
		base, head := c.Tables[0].Rows[row].Samples()
		var logs []float64
		for k := range base {
			logs = append(logs, math.Log(head[k]/base[k]))
		}
		return stat.Scatter(logs)
	}
	var spreads, detects []float64
	for i := range 3 {
		spread := spreadOf(c, i)
		detect, _ := stat.Detectable(spread, 20, 0, false, 0.01, 3, 40)
		spreads, detects = append(spreads, spread), append(detects, detect)
		if math.Abs(float64(got.Rows[i].Noise)-spread) > 1e-12 || math.Abs(float64(got.Rows[i].Detects)-detect) > 1e-9 {
			t.Errorf("row %d is %+v, want a noise of %v and %v found", i, got.Rows[i], spread, detect)
		}
	}
	if math.Abs(float64(got.Noise)-spreads[1]) > 1e-12 || math.Abs(float64(got.Worst)-spreads[2]) > 1e-12 || math.Abs(float64(got.Detects)-detects[1]) > 1e-9 || got.Measured != 20 {
		t.Errorf("calibration %+v, want %v, found %v", got, spreads, detects)
	}
	if !math.IsNaN(float64(got.Floor)) || math.Abs(got.Expected-0.15) > 1e-12 {
		t.Errorf("calibration %+v: one tells no floor", got)
	}
	if trial := doc.Trials[0]; trial.Rows != 2 || trial.Inconclusive != 0 || math.Abs(float64(trial.Noise)-(spreadOf(two, 0)+spreadOf(two, 1))/2) > 1e-12 {
		t.Errorf("trial %+v", trial)
	}
	if doc.Trust[1].State != trustUnknown || doc.Trust[1].Command == "" || doc.Trust[0].State == trustUnknown {
		t.Errorf("trust %+v", doc.Trust)
	}
	text, err := json.Marshal(NewMachineList(&Index{}).Document())
	if err != nil || string(text) != `{"trust":[],"calibrations":[],"trials":[],"rounds":40}` {
		t.Errorf("of nothing: %s, %v", text, err)
	}
}

// The cases test each rule at its threshold and on either side of it.
func TestTrust(t *testing.T) {
	calibration := func(detects float64, rows, flagged int) Calibration {
		return Calibration{Detects: Number(detects), Rows: make([]CalibrationRow, rows), Flagged: flagged, Time: 1000 * 86400}
	}
	trials := func(n, rows, open int) (out []TrialNoise) {
		for range n {
			out = append(out, TrialNoise{Rows: rows, Inconclusive: open})
		}
		return out
	}
	calm := calibration(0.03, 40, 2)
	for name, test := range map[string]struct {
		calibrations []Calibration
		trials       []TrialNoise
		days         int64
		state, says  string
	}{
		"nothing":                {nil, nil, 0, trustUnknown, "Unknown: there are 0 calibrations and 0 trials here, but it takes a calibration, or 5 trials with 20 rows."},
		"four trials":            {nil, trials(4, 20, 0), 0, trustUnknown, "4 trials"},
		"five trials":            {nil, trials(5, 20, 0), 0, trustPartly, "it was never calibrated"},
		"calibrated and quiet":   {[]Calibration{calm}, trials(5, 20, 1), 0, trustYes, "Yes: within 40 rounds, half of the benchmarks can show a change of 3.0 % or less; the threshold is 5.0 %; 5.0 % of 100 rows stayed undecided in the newest 5 trials."},
		"calibrated only":        {[]Calibration{calm}, nil, 0, trustYes, "Yes: within 40 rounds, half"},
		"a small calibration":    {[]Calibration{calibration(0.03, 3, 0)}, trials(1, 3, 0), 0, trustPartly, "its newest calibrations have only 3 rows, too few"},
		"at the threshold":       {[]Calibration{calibration(0.05, 40, 2)}, nil, 0, trustYes, "5.0 % or less"},
		"coarse":                 {[]Calibration{calibration(0.06, 40, 2)}, nil, 0, trustPartly, "6.0 % or less"},
		"useless":                {[]Calibration{calibration(0.16, 40, 2)}, nil, 0, trustNo, "No: half of the benchmarks can show only changes of 16 %"},
		"finds nothing":          {[]Calibration{calibration(math.NaN(), 40, 2)}, nil, 0, trustNo, "cannot show a change of any size"},
		"the newest counts":      {[]Calibration{calibration(0.16, 40, 2), calm}, nil, 0, trustYes, "3.0 %"},
		"alarms by chance":       {[]Calibration{calibration(0.03, 40, 6)}, nil, 0, trustYes, ""},
		"alarms":                 {[]Calibration{calibration(0.03, 40, 7)}, nil, 0, trustPartly, "of 40 rows measured against themselves, 7 seem to differ; chance alone would give 2"},
		"undecided":              {[]Calibration{calm}, trials(5, 20, 3), 0, trustPartly, "15 % of 100 rows stayed undecided"},
		"undecided as allowed":   {[]Calibration{calm}, trials(5, 20, 2), 0, trustYes, ""},
		"mostly undecided":       {[]Calibration{calm}, trials(5, 20, 7), 0, trustNo, "No: 35 % of 100 rows stayed undecided"},
		"long ago":               {[]Calibration{calm}, trials(5, 20, 1), 91, trustPartly, "calibrated 91 days before its newest run"},
		"not so long ago":        {[]Calibration{calm}, trials(5, 20, 1), 90, trustYes, ""},
		"only the newest trials": {[]Calibration{calm}, append(trials(5, 20, 20), trials(10, 20, 0)...), 0, trustYes, ""},
	} {
		index := &Index{Meta: Meta{Threshold: 0.05}, Environments: []environments.Environment{{Last: (1000 + test.days) * 86400}}}
		got := trust(0, index, &Machine{Calibrations: test.calibrations, Trials: test.trials})
		if got.State != test.state || !strings.Contains(got.Sentence, test.says) || (got.Command == "") != (got.State == trustYes) {
			t.Errorf("%s: %s: %s (%s)", name, got.State, got.Sentence, got.Command)
		}
	}
}

func TestUpperTail(t *testing.T) {
	// The cases are 0 or more successes in 10 trials, 1 or more in 10, and 3 in 3.
	for _, test := range []struct {
		k, n int
		want float64
	}{{0, 10, 1}, {1, 10, 1 - math.Pow(0.95, 10)}, {3, 3, 0.05 * 0.05 * 0.05}} {
		if got := upperTail(test.k, test.n, 0.05); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%d of %d: %v, want %v", test.k, test.n, got, test.want)
		}
	}
}
