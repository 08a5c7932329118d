package imports

import (
	"io"

	"github.com/perftrack/perftrack/runner/format"
)

// otherFormat returns the name of the format that the input has, if it is another than the one that the
// user named. It returns "" if the input can be in the named one, or no format is certain.
func (in *input) otherFormat() string {
	if _, err := in.file.Seek(0, io.SeekStart); err != nil {
		return ""
	}
	text, err := io.ReadAll(io.LimitReader(in.file, format.HeadSize))
	if err != nil {
		return ""
	}
	return format.Other(in.format.Name, text)
}
