package site

// Commits are those that were measured, in the order of the site's branch, the oldest first;
// what is not on it follows, by time.
type Commits struct {
	List []Commit `json:"list"`
}

// A Commit is one of them.
type Commit struct {
	SHA     string   `json:"sha"`
	Subject string   `json:"subject,omitempty"`
	Author  string   `json:"author,omitempty"`
	Time    int64    `json:"time"`
	Tags    []string `json:"tags,omitempty"`
	Off     bool     `json:"off,omitempty"` // not on the site's branch
	// Fork is the newest measured commit of the branch that one off it was made after: its merge base, or the
	// last one measured before that. It is nil where that is not known, as of any but the newest.
	Fork *int `json:"fork,omitempty"`
}
