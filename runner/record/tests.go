package record

import "encoding/json"

// SharedTests are benchmarks of a package whose two sides were built with the same test files.
type SharedTests struct {
	Package string   `json:"package"`
	Of      Side     `json:"of"`               // the side that the files are of
	Edited  []string `json:"edited,omitempty"` // that differ between the sides
	New     []string `json:"new,omitempty"`    // that only head has
}

// maxSharedTests is how many facts of a run, each as long as a fact may be, they may fill.
const maxSharedTests = 8

// SetSharedTests notes on a run which of its benchmarks were measured so. Where there is no room for
// all packages the last are left out.
func SetSharedTests(r *Run, all []SharedTests) {
	setNumberedList(r, KeyTests, all, maxSharedTests)
}

// SharedTestsOf returns what SetSharedTests noted, nil for nothing.
func SharedTestsOf(r *Run) (all []SharedTests) {
	if json.Unmarshal([]byte(Numbered(r, KeyTests, maxSharedTests)), &all) != nil {
		return nil
	}
	return all
}
