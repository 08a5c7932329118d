package record

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// ErrNoSamples is returned for a run without samples. Only a run with failures, or a side of a
// trial with nothing to measure, may have none.
var ErrNoSamples = errors.New("the run has no samples")

// Validate puts the run into canonical order and returns an error for the first value that could
// not be written and read back unchanged. If it returns nil, package decode reads the same run back
// from the text that [Writer] writes.
func (r *Run) Validate() error {
	for i := range r.Benchmarks {
		if err := r.Benchmarks[i].checkLengths(); err != nil {
			return err
		}
	}
	r.Normalize()
	if err := r.checkAbove(); err != nil {
		return err
	}
	return r.checkBenchmarks()
}

// ValidateHeader is like [Run.Validate] for a run whose benchmarks are kept and checked elsewhere.
func (r *Run) ValidateHeader(benchmarks int) error {
	r.Normalize()
	if err := r.checkAbove(); err != nil {
		return err
	}
	return r.checkCount(benchmarks)
}

// checkAbove validates everything except the benchmarks.
func (r *Run) checkAbove() error {
	if err := r.checkHeader(); err != nil {
		return err
	}
	if err := r.checkSettings(); err != nil {
		return err
	}
	if err := checkUnits(r.Units); err != nil {
		return err
	}
	if err := checkFailures(r.Failures); err != nil {
		return err
	}
	return r.Protocol.check()
}

func (b *Benchmark) checkLengths() error {
	for _, s := range b.Samples {
		if len(s.Values) != len(b.Rounds) {
			return fmt.Errorf("benchmark %s has %d rounds and %d values in %s", b.Name, len(b.Rounds), len(s.Values), s.Unit)
		}
	}
	return nil
}

func (r *Run) checkHeader() error {
	for _, f := range []struct{ key, value string }{
		{keyTarget, r.Target}, {KeyBranch, r.Commit.Branch}, {keyTrial, r.Trial}, {keyTool, r.Tool},
	} {
		if err := checkValue(f.key, f.value); err != nil {
			return err
		}
	}
	for _, f := range []struct{ key, value string }{{KeyCommit, r.Commit.SHA}, {keyTree, r.Commit.Tree}} {
		if f.value != "" && !IsHashPrefix(f.value) {
			return fmt.Errorf("%s %q is not a hash in lower-case hex", f.key, f.value)
		}
	}
	if !slices.Contains([]Status{Complete, Partial, Failed}, r.Status) {
		return fmt.Errorf("%s %q is not complete, partial or failed", keyStatus, r.Status)
	}
	if !slices.Contains([]Side{NoSide, Base, Head}, r.Side) {
		return fmt.Errorf("%s %q is not base or head", keySide, r.Side)
	}
	for _, f := range []struct {
		key  string
		time time.Time
	}{{keyStart, r.Start}, {keyEnd, r.End}, {KeyCommitTime, r.Commit.Time}} {
		if y := f.time.Year(); y < 0 || y > 9999 {
			return fmt.Errorf("%s is in the year %d: RFC 3339 ends at 9999", f.key, y)
		}
	}
	return nil
}

func (r *Run) checkSettings() error {
	if err := checkUnknown(r.Facts); err != nil {
		return err
	}
	for _, s := range r.Env {
		if RoleOf(s.Key) != EnvironmentKey {
			return fmt.Errorf("%s is not part of an environment's identity", s.Key)
		}
	}
	if procs := r.Env.Get(KeyGOMAXPROCS); procs != "" && procs != ProcsInNames {
		if n, err := strconv.Atoi(procs); err != nil || n < 1 || strconv.Itoa(n) != procs {
			return fmt.Errorf("gomaxprocs %q is not a number of 1 or more", procs)
		}
	}
	for _, s := range r.Facts {
		if RoleOf(s.Key) != FactKey {
			return fmt.Errorf("configuration key %s is reserved and cannot be a fact", s.Key)
		}
		if err := checkKey(s.Key); err != nil {
			return err
		}
	}
	for _, list := range []Settings{r.Env, r.Facts} {
		for i, s := range list {
			if i > 0 && list[i-1].Key == s.Key {
				return fmt.Errorf("configuration key %s occurs twice", s.Key)
			}
			if err := checkValue(s.Key, s.Value); err != nil {
				return err
			}
		}
	}
	return nil
}

// CheckHeader returns an error for the first setting that cannot be a line of a header. The values
// of a [Run]'s fields are checked with the run.
func (s Settings) CheckHeader() error {
	for _, f := range s {
		if RoleOf(f.Key) == HeaderKey {
			continue
		}
		if err := checkKey(f.Key); err != nil {
			return err
		}
		if err := checkValue(f.Key, f.Value); err != nil {
			return err
		}
	}
	return checkUnknown(s)
}

func checkUnits(units []Unit) error {
	if len(units) > MaxUnits {
		return fmt.Errorf("%d declared units exceed the limit of %d", len(units), MaxUnits)
	}
	for i, u := range units {
		if err := CheckUnit(u.Name); err != nil {
			return err
		}
		if i > 0 && units[i-1].Name == u.Name {
			return fmt.Errorf("unit %s is declared twice", u.Name)
		}
		if err := u.checkFrom(); err != nil {
			return err
		}
		if u.Better < -1 || u.Better > 1 {
			return fmt.Errorf("direction %d of unit %s is not -1, 0 or +1", u.Better, u.Name)
		}
	}
	return checkList(keyUnits, len(units), units)
}

func checkFailures(failures []Failure) error {
	if len(failures) > MaxFailures {
		return fmt.Errorf("%d named failures exceed the limit of %d", len(failures), MaxFailures)
	}
	return checkList(keyFailures, len(failures), failures)
}

func checkList(key string, n int, list any) error {
	if n > 0 && len(CompactJSON(list)) > maxListLen {
		return fmt.Errorf("%s are longer than %d bytes", key, maxListLen)
	}
	return nil
}

func (r *Run) checkBenchmarks() error {
	if err := r.checkCount(len(r.Benchmarks)); err != nil {
		return err
	}
	total := 0
	for i := range r.Benchmarks {
		b := &r.Benchmarks[i]
		if i > 0 && r.Benchmarks[i-1].BenchmarkID == b.BenchmarkID {
			return fmt.Errorf("benchmark %s occurs twice", b.Name)
		}
		if err := b.Validate(); err != nil {
			return fmt.Errorf("benchmark %s: %w", b.Name, err)
		}
		if total += len(b.Rounds) * len(b.Samples); total > MaxTotalSamples {
			return fmt.Errorf("more than %d samples", MaxTotalSamples)
		}
	}
	return nil
}

// checkCount returns an error if the run has too many benchmarks, or none where it needs some.
func (r *Run) checkCount(benchmarks int) error {
	if benchmarks == 0 && (r.Trial == "" || r.Side == NoSide) && len(r.Failures) == 0 {
		return ErrNoSamples
	}
	if benchmarks > MaxBenchmarks {
		return fmt.Errorf("%d benchmarks exceed the limit of %d", benchmarks, MaxBenchmarks)
	}
	return nil
}

// Validate returns an error if the benchmark cannot be stored.
func (b *Benchmark) Validate() error {
	if err := b.BenchmarkID.Validate(); err != nil {
		return err
	}
	if len(b.Rounds) > MaxSamples {
		return fmt.Errorf("%d rounds exceed the limit of %d", len(b.Rounds), MaxSamples)
	}
	if len(b.Samples) > MaxUnits {
		return fmt.Errorf("%d units exceed the limit of %d", len(b.Samples), MaxUnits)
	}
	for _, round := range b.Rounds {
		if round.N < 1 || round.Order < 0 || round.Iters < 0 {
			return fmt.Errorf("round %d, order %d, %d iterations: rounds must be at least 1, and the others at least 0", round.N, round.Order, round.Iters)
		}
		if err := round.CheckSlices(); err != nil {
			return fmt.Errorf("round %d: %w", round.N, err)
		}
	}
	present := make([]bool, len(b.Rounds))
	for i, s := range b.Samples {
		if err := CheckUnit(s.Unit); err != nil {
			return err
		}
		if i > 0 && b.Samples[i-1].Unit == s.Unit {
			return fmt.Errorf("unit %s occurs twice", s.Unit)
		}
		for j, v := range s.Values {
			if math.IsInf(v, 0) || v < 0 {
				return fmt.Errorf("%v %s is not a finite number of 0 or more", v, s.Unit)
			}
			present[j] = present[j] || !math.IsNaN(v)
		}
	}
	if i := slices.Index(present, false); i >= 0 {
		return fmt.Errorf("round %d has no value", b.Rounds[i].N)
	}
	return nil
}

// CheckSlices returns an error if the round's figures about slices are out of range or
// inconsistent.
func (r Round) CheckSlices() error {
	switch {
	case r.Slices < 0:
		return fmt.Errorf("%s is %d, which is below 0", KeySlices, r.Slices)
	case r.Slow > 1:
		return fmt.Errorf("%s is %v, which is not between 0 and 1", KeySlow, r.Slow)
	}
	for _, f := range []struct {
		key   string
		value float64
	}{{KeySpread, r.Spread}, {KeyMean, r.Mean}, {KeySlow, r.Slow}} {
		switch {
		case math.IsNaN(f.value) || math.IsInf(f.value, 0) || f.value < 0:
			return fmt.Errorf("%s is %v, which is not a finite number of 0 or more", f.key, f.value)
		case r.Slices == 0 && f.value > 0 && f.key == KeySpread: // a process alone has no pairs, but a mean
			return fmt.Errorf("round has %s but no %s", f.key, KeySlices)
		}
	}
	return nil
}

// Validate returns an error if the id cannot be written and read back.
func (id BenchmarkID) Validate() error {
	switch {
	case id.Kind != Bench && id.Kind != Scope:
		return fmt.Errorf("kind %q is not bench or scope", id.Kind)
	case id.Name == "":
		return errors.New("benchmark has no name")
	case len(id.Name) > MaxNameLen:
		return fmt.Errorf("benchmark name is longer than %d bytes", MaxNameLen)
	}
	if err := checkWord(id.Name); err != nil {
		return fmt.Errorf("benchmark name %q %w", id.Name, err)
	}
	if err := checkValue(KeyPackage, id.Package); err != nil {
		return err
	}
	return checkValue(KeySuite, id.Suite)
}

// CheckUnit returns an error if unit cannot be written on a result line.
func CheckUnit(unit string) error {
	switch err := checkWord(unit); {
	case unit == "":
		return errors.New("value has no unit")
	case len(unit) > MaxUnitLen:
		return fmt.Errorf("unit is longer than %d bytes", MaxUnitLen)
	case err != nil:
		return fmt.Errorf("unit %q %w", unit, err)
	}
	return nil
}

// checkFrom returns an error if the original units cannot be written on a Unit line.
func (u Unit) checkFrom() error {
	if len(u.From) > MaxFromLen {
		return fmt.Errorf("original units of %s are longer than %d bytes", u.Name, MaxFromLen)
	}
	if err := checkWord(u.From); err != nil {
		return fmt.Errorf("original unit %q of %s %w", u.From, u.Name, err)
	}
	return nil
}

// checkKey enforces the rules of the benchmark format: a key begins with a lower-case letter and
// contains no space, upper-case letter or colon.
func checkKey(key string) error {
	first, _ := utf8.DecodeRuneInString(key)
	if !unicode.IsLower(first) || strings.ContainsFunc(key, unicode.IsUpper) || strings.Contains(key, ":") {
		return fmt.Errorf("configuration key %q must begin with a lower-case letter and contain no upper-case letters or colons", key)
	}
	if len(key) > MaxKeyLen {
		return fmt.Errorf("configuration key is longer than %d bytes", MaxKeyLen)
	}
	if err := checkWord(key); err != nil {
		return fmt.Errorf("configuration key %q %w", key, err)
	}
	return nil
}

// checkWord returns an error if s contains a space or a control character, or is not valid UTF-8.
func checkWord(s string) error {
	if !utf8.ValidString(s) {
		return errors.New("is not valid UTF-8")
	}
	for _, c := range s {
		if unicode.IsSpace(c) || unicode.IsControl(c) {
			return fmt.Errorf("contains the space or control character %U", c)
		}
	}
	return nil
}

// checkValue returns an error if value cannot be written on a configuration line. A reader would
// trim a space at either end, and a control character could affect the line, the terminal or the
// database.
func checkValue(key, value string) error {
	if len(value) > MaxSettingLen {
		return fmt.Errorf("value of %s is longer than %d bytes", key, MaxSettingLen)
	}
	if !utf8.ValidString(value) {
		return fmt.Errorf("value %q of %s is not valid UTF-8", value, key)
	}
	for _, c := range value {
		if unicode.IsControl(c) && c != '\t' {
			return fmt.Errorf("value %q of %s contains the control character %U", value, key, c)
		}
	}
	if strings.TrimSpace(value) != value {
		return fmt.Errorf("value %q of %s begins or ends with a space", value, key)
	}
	return nil
}
