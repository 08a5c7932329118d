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
	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/gitrepo"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

// This file is the only place where bytes are parsed that a pull request made:
// whoever opens one writes the workflow that measures it, and so the whole
// artifact. What comes out of it is a trial of two commits with finite numbers
// within limits; names are still any text, and the writers of reports map them.
// Nothing is ever extracted to a file.

// The limits of what a pull request measured, beside those of package format,
// which hold for any input, and of package store, which hold for any run.
const (
	MaxArchive      = 10 << 20 // bytes of the artifact
	MaxArchiveRatio = 100      // of its size unpacked to its size
	MaxRuns         = 64       // runs of the trial
	MaxTargets      = 64       // of all parts of a measurement, which all have the same
	MaxTotalRounds  = 2 << 20  // highest round number of each series, summed up
	MaxConfig       = 4 << 30  // bytes of configuration, counted for each result that it stands above
)

// Name and FileName name the artifact of the measuring workflow
// and the one file in it: the trial's runs as perftrack export writes them.
const (
	Name     = "perftrack-trial"
	FileName = "trial.txt"
)

// PartName is the name of the artifact of a part of a measurement.
func PartName(p compare.Part) string { return fmt.Sprintf("%s-%d-of-%d", Name, p.N, p.Of) }

// PartOfName returns the part that an artifact of this name is of; ok is false if it is of none.
func PartOfName(name string) (p compare.Part, ok bool) {
	numbers, ok := strings.CutPrefix(name, Name+"-")
	if !ok {
		return p, false
	}
	p, ok = compare.ParsePart(strings.Replace(numbers, "-of-", "/", 1))
	return p, ok && PartName(p) == name
}

// ReadFile reads the trial in a local file.
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

// ParseTrial reads the runs of one trial: the benchmark format, or a zip
// archive with that as its one file.
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

// Unzip returns the one file of the archive of a trial, without trusting any size that
// the archive claims.
func Unzip(data []byte) ([]byte, error) { return UnzipFile(data, FileName) }

// UnzipFile is [Unzip] of an archive whose one file has another name.
func UnzipFile(data []byte, name string) ([]byte, error) {
	if len(data) > MaxArchive {
		return nil, fmt.Errorf("the archive is larger than %d MiB, the limit", MaxArchive>>20)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("open archive: %w", err)
	}
	if len(z.File) != 1 || z.File[0].Name != name || !z.File[0].Mode().IsRegular() {
		return nil, fmt.Errorf("the archive must hold the file %s and nothing else", name)
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
	text.Grow(int(z.File[0].UncompressedSize64) + bytes.MinRead) // within the limit, see above
	if _, err := text.ReadFrom(io.LimitReader(r, limit+1)); err != nil {
		return nil, fmt.Errorf("unpack %s: %w", name, err)
	}
	if int64(text.Len()) > limit {
		return nil, archiveLimit()
	}
	return text.Bytes(), nil
}

func archiveLimit() error {
	return fmt.Errorf("the archive unpacks to more than %d times its size or %d MiB, the limits", MaxArchiveRatio, bounds.MaxInput>>20)
}

var (
	trialID = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z.-]{0,63}$`)
)

// validateTrial reports why runs are not one trial of two clean commits, or too large.
func validateTrial(runs []*record.Run) error {
	if len(runs) > MaxRuns {
		return fmt.Errorf("more than %d runs, the limit of a trial", MaxRuns)
	}
	commits := map[record.Side]string{}
	for _, r := range runs {
		switch {
		case r.Side == record.NoSide || r.Trial == "" || r.Trial != runs[0].Trial:
			return errors.New("not the runs of one trial")
		case !trialID.MatchString(r.Trial):
			return errors.New("the id of the trial is not one that perftrack gives")
		case !gitrepo.IsHash(r.Commit.SHA):
			return fmt.Errorf("the %s side does not name its commit", r.Side)
		case r.Commit.Dirty:
			return fmt.Errorf("the %s side measured uncommitted changes", r.Side)
		case commits[r.Side] != "" && commits[r.Side] != r.Commit.SHA:
			return fmt.Errorf("the %s side is of several commits", r.Side)
		}
		commits[r.Side] = r.Commit.SHA
		compare.Unshared(r)
		for i := range r.Benchmarks {
			if n, again := repeated(&r.Benchmarks[i]); again {
				return fmt.Errorf("%s: a sample of round %d is there twice, and would count twice", r.Benchmarks[i].Name, n)
			}
		}
	}
	if err := CheckSize(runs); err != nil {
		return err
	}
	if len(commits) != 2 {
		return errors.New("the trial has runs of one side only")
	}
	return nil
}

// CheckSize reports why the runs of a measurement, be it one trial or in parts, would take more
// memory to judge than their text suggests.
func CheckSize(runs []*record.Run) error {
	benchmarks, targets := map[record.BenchmarkID]bool{}, map[string]bool{}
	rounds := 0
	for _, r := range runs {
		if targets[r.Target] = true; len(targets) > MaxTargets {
			return fmt.Errorf("more than %d targets, the limit of a measurement", MaxTargets)
		}
		for i := range r.Benchmarks {
			b := &r.Benchmarks[i]
			benchmarks[b.BenchmarkID] = true
			last := b.LastRound()
			if last > record.MaxSamples {
				return fmt.Errorf("round %d: the limit is %d", last, record.MaxSamples)
			}
			if rounds += last * len(b.Samples); rounds > MaxTotalRounds {
				return fmt.Errorf("the rounds of all series add up to more than %d, the limit of a trial", MaxTotalRounds)
			}
		}
	}
	if len(benchmarks) > bounds.MaxBenchmarks {
		return fmt.Errorf("more than %d benchmarks, the limit of a trial", bounds.MaxBenchmarks)
	}
	return nil
}

// repeated returns the round of a sample that is there again, number and all: what
// was measured has one place in its round.
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
