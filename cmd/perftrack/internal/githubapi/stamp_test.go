package githubapi

import (
	"reflect"
	"strings"
	"testing"
)

// A stamp can be read back from the link in a status, and removing it restores the original link.
func TestStamp(t *testing.T) {
	const link = "https://git.example/owner/repo/actions/runs/7"
	for _, tt := range []struct {
		stamp Stamp
		text  string
	}{
		{Stamp{}, link},
		{Stamp{Asked: true}, link + "#asked=1&perftrack=1"},
		{Stamp{Against: []string{"aaaaaaaaaaaa"}}, link + "#against=aaaaaaaaaaaa&perftrack=1"},
		{Stamp{Against: []string{"bbbbbbbbbbbb", "aaaaaaaaaaaa"}, Worse: true, Pull: 13}, link + "#against=bbbbbbbbbbbb&against=aaaaaaaaaaaa&perftrack=1&pull=13&worse=1"},
	} {
		text := tt.stamp.AddTo(link)
		if text != tt.text {
			t.Errorf("%+v: %s, want %s", tt.stamp, text, tt.text)
		}
		if address, s := cutStamp(text); address != link || !reflect.DeepEqual(s, tt.stamp) {
			t.Errorf("%s: %s and %+v", text, address, s)
		}
	}
	if text := (Stamp{Against: []string{strings.Repeat("a", 40)}}).AddTo(link); text != link+"#against=aaaaaaaaaaaa&perftrack=1" {
		t.Error(text)
	}
	for _, other := range []string{"", link + "#step:3", link + "#worse=1", link + "#perftrack=2&worse=1", link + "#%zz&perftrack=1"} {
		if address, s := cutStamp(other); address != other || !reflect.DeepEqual(s, Stamp{}) {
			t.Errorf("%q: %q and %+v", other, address, s)
		}
	}
	if text := (Stamp{Worse: true}).AddTo(""); text != "" {
		t.Error(text)
	}
}
