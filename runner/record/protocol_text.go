package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// MaxProtocolParts is the maximum number of lines that a protocol can take in the text of a run.
const MaxProtocolParts = 256

// JSON returns the protocol as JSON on one line, or "" if it states nothing or was read from facts.
func (p *Protocol) JSON() string {
	if p.ofFacts || reflect.ValueOf(*p).IsZero() {
		return ""
	}
	if text := numberedJSON(p); text != "{}" {
		return text
	}
	return ""
}

// String returns the protocol as JSON, even if it was read from facts.
func (p Protocol) String() string { return CompactJSON(p) }

// lines returns the configuration lines for the protocol.
func (p *Protocol) lines() (s Settings) {
	text := p.JSON()
	for i := 1; text != ""; i++ {
		n := partLen(text, maxListLen)
		s = append(s, Setting{NumberedKey(keyProtocol, i), text[:n]})
		text = text[n:]
	}
	return s
}

// protocolPart returns the number, from 1, of the protocol line with this key, or 0 if the key does
// not belong to a protocol.
func protocolPart(key string) int {
	if key == keyProtocol {
		return 1
	}
	n, err := strconv.Atoi(strings.TrimPrefix(key, keyProtocol+"-"))
	if err != nil || n > MaxProtocolParts || NumberedKey(keyProtocol, n) != key {
		return 0
	}
	return n
}

// readProtocol reads the protocol from the lines of a header written by perftrack.
func (r *Run) readProtocol(header Settings) error {
	parts := map[int]string{}
	for _, s := range header {
		if n := protocolPart(s.Key); n > 0 {
			parts[n] = s.Value
		}
	}
	var text strings.Builder
	for n := 1; n <= len(parts); n++ {
		text.WriteString(parts[n])
	}
	return r.SetProtocol(text.String())
}

// SetProtocol sets the protocol of a freshly read run. The text is the output of [Protocol.JSON].
// If it is empty, the protocol is read from the run's facts, where older versions of perftrack
// wrote it.
func (r *Run) SetProtocol(text string) error {
	if text == "" {
		r.Protocol = protocolOfFacts(r.Facts)
		return nil
	}
	r.Protocol = Protocol{}
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&r.Protocol); err != nil {
		return fmt.Errorf("%s: %w: upgrade perftrack if a newer one wrote it", keyProtocol, err)
	}
	if d.More() {
		return errors.New(keyProtocol + ": more than one value")
	}
	return nil
}
