package timerhttp

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// onlyHosts returns a handler that passes a request to page if its Host is localhost, an IP address
// or one of names, and otherwise responds with status 403. This prevents DNS rebinding, in which a
// page of another site reaches the program under the name of that site: the browser then sends that
// name as the Host, never an address. Letter case, the port and a trailing dot are ignored.
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

// hostName returns host in lower case, without its port, brackets or trailing dot.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}
