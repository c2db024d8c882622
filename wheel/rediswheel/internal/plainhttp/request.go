package plainhttp

import (
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
)

// bodyMax is the maximum length, in bytes, of the body of a request. The buffers of a socket have room for such a
// body even if the receiver does not read, so sending never blocks, and the response can be read after the whole
// request has been sent.
const bodyMax = 8 << 10

// Request is a request to a receiver.
type Request struct {
	Method   string
	URL      *url.URL
	Header   []Field // header fields; a field with the name Host overrides the host of URL
	Body     []byte
	Deadline time.Time // time by which the whole response must have been read, or the request fails; zero means no limit
}

// Field is a header field. Its name is in canonical form.
type Field struct{ Name, Value string }

// Set sets a header field, replacing any existing field with the same name. The name need not be in canonical
// form.
func (r *Request) Set(name, value string) {
	name = textproto.CanonicalMIMEHeaderKey(name)
	for i := range r.Header {
		if r.Header[i].Name == name {
			r.Header[i].Value = value
			return
		}
	}
	r.Header = append(r.Header, Field{name, value})
}

// IsPlain reports whether [Transport.Send] can send r. If not, the caller must send r with net/http. For example,
// IsPlain returns false for requests over TLS, requests with a long body, and requests that net/http may retry,
// such as GET requests and requests with an Idempotency-Key.
func (r *Request) IsPlain() bool {
	switch r.Method {
	case http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
	default:
		return false
	}
	switch u := r.URL; {
	case !canCheck, u.Scheme != "http", u.User != nil, u.Opaque != "", len(r.Body) > bodyMax:
		return false
	case !isPlainHost(u.Host), !isPlainText(u.RawPath), !isPlainText(u.RawQuery):
		return false
	}
	for _, f := range r.Header {
		switch f.Name {
		case "Connection", "Expect", "Idempotency-Key", "X-Idempotency-Key", "Te", "Trailer", "Transfer-Encoding", "Upgrade":
			return false
		case "Host":
			if f.Value != "" && !isPlainHost(f.Value) {
				return false
			}
		}
		if !httpguts.ValidHeaderFieldName(f.Name) || !httpguts.ValidHeaderFieldValue(f.Value) {
			return false
		}
	}
	return true
}

// isPlainHost reports whether net/http would send host unchanged in the Host header field.
func isPlainHost(host string) bool {
	return isPlainText(host) && host != "" && !strings.ContainsAny(host, "/%") && !strings.HasSuffix(host, ":") && httpguts.ValidHostHeader(host)
}

// isPlainText reports whether text contains only visible ASCII characters.
func isPlainText(text string) bool {
	for i := range len(text) {
		if text[i] <= ' ' || text[i] >= 0x7f {
			return false
		}
	}
	return true
}

// address returns the host and port that r is sent to.
func (r *Request) address() string {
	if port := r.URL.Port(); port != "" {
		return r.URL.Host
	}
	return net.JoinHostPort(r.URL.Hostname(), "80")
}

// appendTo appends the wire form of r to b, and returns the extended buffer. The request has the same header fields as
// if net/http had sent it.
func (r *Request) appendTo(b []byte) []byte {
	host := r.URL.Host
	for _, f := range r.Header {
		if f.Name == "Host" && f.Value != "" {
			host = f.Value
		}
	}
	b = append(append(b, r.Method...), ' ')
	b = append(append(b, r.URL.RequestURI()...), " HTTP/1.1"...)
	b = appendField(b, Field{"Host", host})
	for _, f := range r.Header {
		if f.Name == "Host" || f.Name == "Content-Length" || f.Name == "User-Agent" && f.Value == "" {
			continue
		}
		b = appendField(b, f)
	}
	if len(r.Body) > 0 || r.Method != http.MethodDelete {
		b = append(b, "\r\nContent-Length: "...)
		b = strconv.AppendInt(b, int64(len(r.Body)), 10)
	}
	b = append(b, "\r\n\r\n"...)
	return append(b, r.Body...)
}

func appendField(b []byte, f Field) []byte {
	b = append(append(b, "\r\n"...), f.Name...)
	b = append(b, ": "...)
	return append(b, textproto.TrimString(f.Value)...)
}
