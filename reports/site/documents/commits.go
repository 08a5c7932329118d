package documents

// Commits lists the measured commits. The commits on the site's branch come first, oldest first,
// followed by the other commits sorted by time.
type Commits struct {
	List []Commit `json:"list"`
}

// A Commit is a measured commit.
type Commit struct {
	SHA     string   `json:"sha"`
	Subject string   `json:"subject,omitempty"`
	Author  string   `json:"author,omitempty"`
	Time    int64    `json:"time"`
	Tags    []string `json:"tags,omitempty"`
	Off     bool     `json:"off,omitempty"` // the commit is not on the site's branch
	// Fork is the commit from which a commit off the branch forked: the newest measured commit on
	// the branch up to the merge base. It is nil if unknown, as it is for all but the newest
	// commits off the branch.
	Fork *int `json:"fork,omitempty"`
}
