package restapi

import (
	"net/url"
	"testing"
)

func TestIsConfidential(t *testing.T) {
	for address, want := range map[string]bool{
		"https://forge.example": true, "https://127.0.0.1/x": true, "http://127.0.0.1:8080": true, "http://127.0.0.2": true, "http://[::1]/x": true,
		"http://forge.example": false, "http://localhost": false, "http://127.0.0.1.forge.example": false, "http://10.0.0.1": false,
		"ftp://127.0.0.1": false, "https://": false, "//127.0.0.1": false, "127.0.0.1": false, "": false,
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := IsConfidential(u); got != want {
			t.Errorf("IsConfidential(%q) = %v", address, got)
		}
	}
}
