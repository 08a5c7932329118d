package reach

import (
	"errors"
	"testing"
)

func TestKnown(t *testing.T) {
	for head, want := range map[string]bool{
		"go object linux amd64 go1.26.8 GOAMD64=v1\nbuild id": true,
		"go object darwin arm64 go1.22rc1 X:none":             true,
		"go object linux amd64 go1.26":                        true,
		"go object linux amd64 go1.21.3 GOAMD64=v1":           false,
		"go object linux amd64 go1.27.0 GOAMD64=v1":           false,
		"go object linux amd64 devel go1.27-abc":              false,
		"go object linux amd64 go1.":                          false,
		"go object":                                           false,
		"":                                                    false,
	} {
		if got := known(head); got != want {
			t.Errorf("known(%q) = %v, want %v", head, got, want)
		}
	}
}

// A file that is not a compiled package, or is truncated, causes an error and never a panic.
func TestReadCompiledRefuses(t *testing.T) {
	const magic = "!<arch>\n"
	header := func(size string) string {
		return "_go_.o          0           0     0     644     " + (size + "          ")[:10] + "`\n"
	}
	object := "go object linux amd64 go1.26.8\n\n!\n" + objectMagic
	broken := []byte(object + string(make([]byte, 200)))
	for i := len(object) + 12; i < len(broken); i++ {
		broken[i] = 0xff
	}
	for name, text := range map[string]string{
		"empty": "", "other": "\x7fELF", "half a header": magic + "_go_.o", "size": magic + header("x") + "y",
		"cut": magic + header("99") + "go", "negative": magic + header("-1"), "object cut": magic + header("43") + object,
		"offsets": magic + header("243") + string(broken),
		"new":     magic + header("36") + "go object linux amd64 go1.99\n\n!\n    ",
	} {
		if _, err := readCompiled("p", []byte(text)); !errors.Is(err, errArchive) && !errors.Is(err, errObject) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
