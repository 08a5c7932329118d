package site

// Releases are geometric means of every package at every release: tagged commits that
// were measured.
type Releases struct {
	List     []Release        `json:"list"` // in the order of the branch
	Packages []ReleasePackage `json:"packages"`
}

// A Release is a tagged commit.
type Release struct {
	Tag    string `json:"tag"`
	Commit int    `json:"commit"`
}

// A ReleasePackage is one unit of a package in one environment.
type ReleasePackage struct {
	Target      string `json:"target"`
	Package     string `json:"package"`
	Unit        string `json:"unit"`
	Better      int    `json:"better"`
	Environment int    `json:"env"`
	// Change is from each release to the next that was measured there, over the benchmarks that
	// both have; null for the first.
	Change []Number `json:"change"`
	Of     []int    `json:"of"` // benchmarks in it
}
