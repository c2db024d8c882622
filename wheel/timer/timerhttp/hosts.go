package timerhttp

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// onlyHosts returns a handler that answers with page where a request's Host is localhost,
// an IP address or one of names, and refuses it otherwise with 403 and one line. By DNS
// rebinding a foreign site's page reaches the program under the site's own name; the Host
// that a browser sends then is that name, never an address. Letters' case, ports and a
// last dot don't matter.
func onlyHosts(page http.Handler, names []string) http.Handler {
	allowed := []string{"localhost"}
	for _, name := range names {
		allowed = append(allowed, hostName(name))
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := hostName(r.Host)
		if _, err := netip.ParseAddr(host); err == nil || slices.Contains(allowed, host) {
			page.ServeHTTP(w, r)
			return
		}
		http.Error(w, fmt.Sprintf("host %.80q is not served here: the program allows it by timerhttp.Handler(w, host)", r.Host), http.StatusForbidden)
	})
}

// hostName is a Host without its port, brackets and last dot, in small letters.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}
