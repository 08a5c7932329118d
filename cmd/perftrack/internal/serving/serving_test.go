package serving

import (
	"net"
	"strings"
	"testing"
)

// A server listening on all addresses prints addresses that a browser can open.
func TestOpened(t *testing.T) {
	others := func() []net.IP {
		return []net.IP{net.IPv4(127, 0, 0, 1), net.IPv4(192, 0, 2, 7), net.ParseIP("fe80::1"), net.ParseIP("2001:db8::1")}
	}
	for _, tt := range []struct {
		ip   net.IP
		want string
	}{
		{net.IPv4zero, "127.0.0.1:8137 192.0.2.7:8137"},
		{net.IPv6unspecified, "127.0.0.1:8137 192.0.2.7:8137 [2001:db8::1]:8137"},
		{net.IPv4(192, 0, 2, 7), "192.0.2.7:8137"},
	} {
		if got := strings.Join(opened(&net.TCPAddr{IP: tt.ip, Port: 8137}, others), " "); got != tt.want {
			t.Errorf("%s is opened as %s, want %s", tt.ip, got, tt.want)
		}
	}
}
