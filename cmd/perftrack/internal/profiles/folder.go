package profiles

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/reports/flame"
)

// WritePages writes the flame graphs of all profiles and an index page to a folder, and returns the
// path of the index page. The profiles must be grouped by benchmark, with the base's profiles
// first.
func WritePages(dir string, all []Profile) (index string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("write flame graphs: %w", err)
	}
	var rows []flame.Row
	for len(all) > 0 {
		n := slices.IndexFunc(all, func(p Profile) bool {
			return p.Target != all[0].Target || p.Package != all[0].Package || p.Benchmark != all[0].Benchmark
		})
		if n < 0 {
			n = len(all)
		}
		row := flame.Row{Name: all[0].Benchmark, About: strings.TrimSpace(all[0].Target + " " + all[0].Package)}
		for _, f := range Flames(all[:n]) {
			page, err := f.Page("index.html", "all flame graphs")
			if errors.Is(err, flame.ErrEmpty) {
				continue
			}
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, f.File), page, 0o644)
			}
			if err != nil {
				return "", fmt.Errorf("write flame graphs: %w", err)
			}
			row.Links = append(row.Links, flame.Link{Title: f.What + ", " + cmp.Or(f.label(), f.Side), Address: f.File})
		}
		rows = append(rows, row)
		all = all[n:]
	}
	page, err := flame.Index("Flame graphs", rows)
	if err != nil {
		return "", err
	}
	index = filepath.Join(dir, "index.html")
	if err := os.WriteFile(index, page, 0o644); err != nil {
		return "", fmt.Errorf("write flame graphs: %w", err)
	}
	return index, nil
}

// label returns "difference" for a difference, and otherwise the side and its commit.
func (f Flame) label() string {
	if f.base != nil {
		return "difference"
	}
	return f.Side + " " + commitName(f.of.Commit)
}
