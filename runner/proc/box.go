package proc

// A Box describes the parts of the machine visible to a program isolated by bubblewrap. These are
// the system's programs and libraries, an empty home directory, empty temporary folders, and the
// paths given here. The program has no network and sees only its own processes. [Boxable] reports
// whether boxes are supported.
type Box struct {
	Read  []string // read-only files and folders
	Write []string // writable files and folders
	Hide  []string // paths to hide within these folders
}
