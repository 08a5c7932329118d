package reports

// Footnotes collects the footnotes of a report without duplicates.
type Footnotes struct {
	Notes []Note
	index map[Note]int
}

// Add adds a footnote unless it is already there, and returns its number.
func (f *Footnotes) Add(n Note) int {
	if i, ok := f.index[n]; ok {
		return i
	}
	if f.index == nil {
		f.index = map[Note]int{}
	}
	f.Notes = append(f.Notes, n)
	f.index[n] = len(f.Notes)
	return len(f.Notes)
}
