package format

import "github.com/perftrack/perftrack/runner/format/reading"

// Other returns the name of the format that an input beginning with head has, if it is certainly
// another than the one called name. Otherwise it returns "".
func Other(name string, head []byte) string {
	head = head[:min(len(head), HeadSize)]
	if f, err := ByName(name); err != nil || f.Matches(reading.NewHead(head)) {
		return ""
	}
	f, err := Detect(head)
	if err != nil || f.Name == name {
		return ""
	}
	return f.Name
}
