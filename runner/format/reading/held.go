package reading

import "bytes"

// Held are values of a document that are read after its end, because how to read them is known only
// then: a JSON object has no order.
type Held struct {
	text  []byte // the values as an array, on lines as in the input
	names []string
	size  int // bytes of the names
	first int // line of the first value
	line  int // line of the end of the text
}

// maxHeldText is the number of bytes of the values held.
const maxHeldText = 16 << 20

// Hold consumes the next value, of at most 1 MiB, and keeps it under a name.
func (j *JSON) Hold(h *Held, name string) error {
	raw, err := j.dec.ReadValue()
	if err != nil {
		return j.wrap(err)
	}
	if len(raw) > maxToken {
		return j.Errorf("%w", errToken)
	}
	start := j.Line() - bytes.Count(raw, []byte("\n"))
	if len(h.names) == 0 {
		h.text, h.first, h.line = append(h.text, '['), start, start
	} else {
		h.text = append(h.text, ',')
	}
	h.text = append(h.text, bytes.Repeat([]byte("\n"), max(0, start-h.line))...)
	h.text = append(h.text, raw...)
	h.line, h.names = j.Line(), append(h.names, name)
	if h.size += len(name); h.size+len(h.text) > maxHeldText {
		return j.Errorf("the values before the key that explains them exceed the limit of %d MiB", maxHeldText>>20)
	}
	return nil
}

// Each calls read with a walker at each of the values held, in order. read has to consume it.
func (h *Held) Each(fileName string, read func(j *JSON, name string) error) error {
	if len(h.names) == 0 {
		return nil
	}
	j := NewJSON(bytes.NewReader(append(h.text, ']')), fileName)
	j.in.lines += h.first - 1
	i := 0
	return j.Array(func() error {
		i++
		return read(j, h.names[i-1])
	})
}
