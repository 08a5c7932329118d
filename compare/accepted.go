package compare

import "slices"

// Acceptance returns the reason that package acceptance noted for the row or for the row it is
// correlated with.
func (r *Row) Acceptance() (reason string, ok bool) {
	for _, one := range []*Row{r, r.CorrelatedWith} {
		if one == nil {
			continue
		}
		if i := slices.IndexFunc(one.Notes, func(n Caveat) bool { return n.Code == CodeAccepted }); i >= 0 {
			return one.Notes[i].Detail, true
		}
	}
	return "", false
}

// Accepted reports whether package acceptance found that the change in the row is intended.
func (r *Row) Accepted() bool {
	_, ok := r.Acceptance()
	return ok
}

// Unaccepted returns the number of regressions not marked as accepted by [Accepted.Explain]. They
// fail the gate.
func (c *Comparison) Unaccepted() (n int) {
	for r := range c.Rows() {
		if r.Verdict == Regressed && !r.Accepted() {
			n++
		}
	}
	return n
}
