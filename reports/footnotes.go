package reports

// Footnotes collects the notes of a report, each once.
type Footnotes struct {
	Notes []Note
	index map[Note]int
}

// Add returns the number of the note.
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
