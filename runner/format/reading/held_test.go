package reading

import (
	"strings"
	"testing"
)

// Values that are held keep their lines, and a document cannot fill the memory with them.
func TestHeld(t *testing.T) {
	j := NewJSON(strings.NewReader("npm notice\n{\"a\": 1,\n\n\"b\":\n[2,\n3], \"c\": NaN, \"d\":\n{}}"), "f")
	var h Held
	if err := j.Object(func(key string) error { return j.Hold(&h, key) }); err != nil {
		t.Fatal(err)
	}
	var got []string
	err := h.Each("f", func(j *JSON, name string) error {
		err := j.Skip()
		got = append(got, j.Errorf("%s", name).Error())
		return err
	})
	if want := "f:2: a f:6: b f:6: c f:7: d"; err != nil || strings.Join(got, " ") != want {
		t.Errorf("got %s, %v; want %s", strings.Join(got, " "), err, want)
	}
	if err := new(Held).Each("f", nil); err != nil {
		t.Error(err)
	}
	for what, text := range map[string]string{
		"many values": "[" + strings.Repeat(`"`+strings.Repeat("x", 1000)+`", `, maxHeldText/1000) + "0]",
		"one value":   `["` + strings.Repeat("x", maxToken) + `"]`,
	} {
		var h Held
		j := NewJSON(strings.NewReader(text), "f")
		if err := j.Array(func() error { return j.Hold(&h, "") }); err == nil || !strings.Contains(err.Error(), "limit") {
			t.Errorf("%s: got %v, want an error that names the limit", what, err)
		}
	}
}
