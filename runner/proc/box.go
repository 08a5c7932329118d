package proc

// A Box is what a program sees of the machine when bubblewrap isolates it: the system's programs and
// libraries, an empty home and empty temporary folders, and these. It has no network, and no processes
// but its own. [Boxable] says whether there are boxes here.
type Box struct {
	Read  []string // files and folders, that cannot be changed
	Write []string // those that can
	Hide  []string // what is not seen of them
}
