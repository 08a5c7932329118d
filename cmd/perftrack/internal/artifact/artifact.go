package artifact

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/imports"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
)

// Only this package parses bytes from a pull request. The author of the pull request writes the
// measuring workflow and therefore controls the whole artifact. Parsing yields a trial of two
// commits with finite numbers within limits. Names can still be any text, so the code for reports
// escapes them. Nothing is ever extracted to a file.

// Limits for the trial of a pull request, in addition to the limits for any input (package format)
// and for any run (package store).
const (
	MaxArchive      = 10 << 20 // bytes in the artifact
	MaxArchiveRatio = 100      // ratio of unpacked size to packed size
	MaxRuns         = 64       // runs in a trial
	MaxTargets      = 64       // different targets in all parts of a measurement
	MaxTotalRounds  = 2 << 20  // sum of the highest round numbers of all series
	MaxConfig       = 4 << 30  // bytes of configuration, counted once for each result it applies to
)

// Name and FileName are the names of the measuring workflow's artifact and of the only file in it.
// The file contains the trial's runs in the format of perftrack export.
const (
	Name     = "perftrack-trial"
	FileName = "trial.txt"
)

// PartName returns the name of the artifact for part p of a measurement.
func PartName(p record.Part) string { return fmt.Sprintf("%s-%d-of-%d", Name, p.N, p.Of) }

// PartOfName is the inverse of [PartName]: it returns the part with an artifact of the given name.
// ok is false if there is no such part.
func PartOfName(name string) (p record.Part, ok bool) {
	numbers, ok := strings.CutPrefix(name, Name+"-")
	if !ok {
		return p, false
	}
	p, ok = record.ParsePart(strings.Replace(numbers, "-of-", "/", 1))
	return p, ok && PartName(p) == name
}

// ReadFile reads a trial from a local file.
func ReadFile(name string) ([]*record.Run, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fault.IO(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, bounds.MaxInput+1))
	if err != nil {
		return nil, fault.IO(err)
	}
	runs, err := ParseTrial(data, name)
	return runs, imports.ExplainBadLines(err, name)
}

// ParseTrial parses the runs of one trial. data is text in the Go benchmark format, or a zip
// archive of one file in that format.
func ParseTrial(data []byte, label string) ([]*record.Run, error) {
	if bytes.HasPrefix(data, []byte("PK")) {
		text, err := Unzip(data)
		if err != nil {
			return nil, fault.Data(fmt.Errorf("read %s: %w", label, err))
		}
		data, label = text, FileName
	}
	runs, err := ParseRuns(data, label)
	if err != nil {
		return nil, err
	}
	if err := validateTrial(runs); err != nil {
		return nil, fault.Data(fmt.Errorf("%s: %w", label, err))
	}
	return runs, nil
}

// Unzip returns the content of the only file in a trial's archive. It does not trust the sizes
// recorded in the archive.
func Unzip(data []byte) ([]byte, error) { return UnzipFile(data, FileName) }

// UnzipFile is like [Unzip], but the only file in the archive must have the given name.
func UnzipFile(data []byte, name string) ([]byte, error) {
	if len(data) > MaxArchive {
		return nil, fmt.Errorf("the archive is larger than the limit of %d MiB", MaxArchive>>20)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("open archive: %w", err)
	}
	if len(z.File) != 1 || z.File[0].Name != name || !z.File[0].Mode().IsRegular() {
		return nil, fmt.Errorf("the archive must contain the file %s and nothing else", name)
	}
	limit := min(int64(len(data))*MaxArchiveRatio, bounds.MaxInput)
	if z.File[0].UncompressedSize64 > uint64(limit) {
		return nil, archiveLimit()
	}
	r, err := z.File[0].Open()
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	defer r.Close()
	var text bytes.Buffer
	text.Grow(int(z.File[0].UncompressedSize64) + bytes.MinRead) // the size was checked against the limit above
	if _, err := text.ReadFrom(io.LimitReader(r, limit+1)); err != nil {
		return nil, fmt.Errorf("unpack %s: %w", name, err)
	}
	if int64(text.Len()) > limit {
		return nil, archiveLimit()
	}
	return text.Bytes(), nil
}

func archiveLimit() error {
	return fmt.Errorf("the archive unpacks to more than the limit of %d times its size or %d MiB", MaxArchiveRatio, bounds.MaxInput>>20)
}

var (
	trialID = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z.-]{0,63}$`)
)

// validateTrial returns an error if the runs are too large or do not form one trial of two clean
// commits.
func validateTrial(runs []*record.Run) error {
	if len(runs) > MaxRuns {
		return fmt.Errorf("the trial exceeds the limit of %d runs", MaxRuns)
	}
	commits := map[record.Side]string{}
	for _, r := range runs {
		switch {
		case r.Side == record.NoSide || r.Trial == "" || r.Trial != runs[0].Trial:
			return errors.New("the runs do not belong to one trial")
		case !trialID.MatchString(r.Trial):
			return errors.New("the trial's id does not have perftrack's form")
		case !gitrepo.IsHash(r.Commit.SHA):
			return fmt.Errorf("the %s side does not name its commit", r.Side)
		case r.Commit.Dirty:
			return fmt.Errorf("the %s side was measured with uncommitted changes", r.Side)
		case commits[r.Side] != "" && commits[r.Side] != r.Commit.SHA:
			return fmt.Errorf("the %s side has several commits", r.Side)
		}
		commits[r.Side] = r.Commit.SHA
		pairs.Unshared(r)
		for i := range r.Benchmarks {
			if n, again := repeated(&r.Benchmarks[i]); again {
				return fmt.Errorf("%s: round %d has the same sample twice", r.Benchmarks[i].Name, n)
			}
		}
	}
	if err := CheckSize(runs); err != nil {
		return err
	}
	if len(commits) != 2 {
		return errors.New("the trial has runs on only one side")
	}
	return nil
}

// CheckSize returns an error if judging the runs of a measurement (one trial or several parts)
// would take much more memory than their text does.
func CheckSize(runs []*record.Run) error {
	benchmarks, targets := map[record.BenchmarkID]bool{}, map[string]bool{}
	rounds := 0
	for _, r := range runs {
		if targets[r.Target] = true; len(targets) > MaxTargets {
			return fmt.Errorf("the measurement exceeds the limit of %d targets", MaxTargets)
		}
		for i := range r.Benchmarks {
			b := &r.Benchmarks[i]
			benchmarks[b.BenchmarkID] = true
			last := b.LastRound()
			if last > record.MaxSamples {
				return fmt.Errorf("round %d exceeds the limit of %d rounds", last, record.MaxSamples)
			}
			if rounds += last * len(b.Samples); rounds > MaxTotalRounds {
				return fmt.Errorf("the rounds of all series add up to more than %d, the limit for a trial", MaxTotalRounds)
			}
		}
	}
	if len(benchmarks) > bounds.MaxBenchmarks {
		return fmt.Errorf("the trial exceeds the limit of %d benchmarks", bounds.MaxBenchmarks)
	}
	return nil
}

// repeated reports whether two samples of b have the same position and value, and returns their
// round.
func repeated(b *record.Benchmark) (round int, again bool) {
	type sample struct {
		record.Round
		value float64
	}
	seen := map[sample]bool{}
	for i, r := range b.Rounds {
		if len(b.Samples) == 0 || math.IsNaN(b.Samples[0].Values[i]) {
			continue
		}
		s := sample{r, b.Samples[0].Values[i]}
		if seen[s] {
			return r.N, true
		}
		seen[s] = true
	}
	return 0, false
}
