// Package signature signs callbacks and verifies them, in the format of Standard Webhooks
// (https://www.standardwebhooks.com), version 1. Receivers in other languages can use the libraries of
// that project. Receivers in Go can use this package, which requires only the standard library:
//
//	http.HandleFunc("/remind", func(w http.ResponseWriter, r *http.Request) {
//		message, err := signature.VerifyRequest(w, r, secret)
//		if err != nil {
//			http.Error(w, err.Error(), http.StatusUnauthorized)
//			return
//		}
//		// message.Key is the same in every attempt, message.Body the body.
//	})
//
// # Format
//
// A secret is "whsec_" followed by 24 to 64 random bytes in base64. A request has three header fields:
//
//	Webhook-Id         the key of the task in base64 (URL alphabet, no padding), "_", and its due time, a
//	                   Unix time in milliseconds: the same in every attempt
//	Webhook-Timestamp  when this attempt was made, a Unix time in seconds
//	Webhook-Signature  for each secret "v1," and a signature in base64, separated by spaces
//
// A signature is the HMAC-SHA256, under the bytes of the secret, of Webhook-Id, ".",
// Webhook-Timestamp, "." and the body.
package signature

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Header fields of a signed request.
const (
	HeaderID        = "Webhook-Id"
	HeaderTimestamp = "Webhook-Timestamp"
	HeaderSignature = "Webhook-Signature"
)

// headerKey is the header field that contains the key of the task, escaped as in a URL path; see
// worker.HeaderKey.
const headerKey = "Wheelscope-Key"

// Limits for verification.
const (
	Tolerance     = 5 * time.Minute // maximum difference between Webhook-Timestamp and the time of receipt
	BodyMax       = 256 << 10       // maximum number of bytes in a body; the same as for a task
	SignaturesMax = 16              // maximum number of signatures that Verify examines in a request
	secretMin     = 24              // minimum number of bytes in a secret
	secretMax     = 64              // maximum number of bytes in a secret
)

// prefix is the beginning of every secret in its text form.
const prefix = "whsec_"

// ErrInvalid is returned for a request without a valid signature, or with a timestamp out of
// range.
var ErrInvalid = errors.New("the signature is not valid")

// Secret is a shared secret of 24 to 64 bytes.
type Secret []byte

// ParseSecret parses a secret in its text form, "whsec_" and base64. It returns an error if the
// form or the length is invalid.
func ParseSecret(text string) (Secret, error) {
	encoded, ok := strings.CutPrefix(text, prefix)
	key, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil || len(key) < secretMin || len(key) > secretMax {
		return nil, fmt.Errorf("expected a secret: %s and %d to %d bytes in base64", prefix, secretMin, secretMax)
	}
	return key, nil
}

// Check returns an error if s is shorter or longer than a Secret may be.
func (s Secret) Check() error {
	if len(s) < secretMin || len(s) > secretMax {
		return fmt.Errorf("a secret of %d bytes, expected %d to %d", len(s), secretMin, secretMax)
	}
	return nil
}

// ID returns the value of Webhook-Id for the task with the given key and due time.
func ID(key string, due time.Time) string {
	return base64.RawURLEncoding.EncodeToString([]byte(key)) + "_" + strconv.FormatInt(due.UnixMilli(), 10)
}

// Sign sets the header fields HeaderID, HeaderTimestamp and HeaderSignature in h, for a request with the
// given body. The signature field contains one signature for each of the secrets. id is the result of [ID],
// and now is the time at which the request is sent.
func Sign(h http.Header, secrets []Secret, id string, now time.Time, body []byte) {
	timestamp := strconv.FormatInt(now.Unix(), 10)
	var list []string
	for _, s := range secrets {
		list = append(list, "v1,"+base64.StdEncoding.EncodeToString(s.sum(id, timestamp, body)))
	}
	h.Set(HeaderID, id)
	h.Set(HeaderTimestamp, timestamp)
	h.Set(HeaderSignature, strings.Join(list, " "))
}

func (s Secret) sum(id, timestamp string, body []byte) []byte {
	mac := hmac.New(sha256.New, s)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	return mac.Sum(nil)
}

// Message is a request with a valid signature.
type Message struct {
	Key  string    // key of the task
	Due  time.Time // time at which the task was due
	Sent time.Time // time at which the request was sent
	Body []byte
}

// Verify checks the header fields and the body of a request that was received at time now. The signature must
// be valid for one of the secrets. Errors wrap ErrInvalid.
func Verify(h http.Header, body []byte, now time.Time, secrets ...Secret) (Message, error) {
	for _, s := range secrets {
		if err := s.Check(); err != nil {
			return Message{}, err
		}
	}
	id, timestamp := h.Get(HeaderID), h.Get(HeaderTimestamp)
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return Message{}, fmt.Errorf("%w: no %s", ErrInvalid, HeaderTimestamp)
	}
	sent := time.Unix(seconds, 0)
	if d := now.Sub(sent); d > Tolerance || d < -Tolerance {
		return Message{}, fmt.Errorf("%w: the request was sent more than %v before or after now", ErrInvalid, Tolerance)
	}
	if !matches(h.Get(HeaderSignature), id, timestamp, body, secrets) {
		return Message{}, fmt.Errorf("%w: no signature matches the secret", ErrInvalid)
	}
	m := Message{Sent: sent, Body: body}
	encoded, due, _ := cutLast(id, "_")
	key, errKey := base64.RawURLEncoding.DecodeString(encoded)
	ms, errDue := strconv.ParseInt(due, 10, 64)
	m.Key, m.Due = string(key), time.UnixMilli(ms).UTC()
	if errKey != nil || errDue != nil || h.Get(headerKey) != "" && h.Get(headerKey) != url.PathEscape(m.Key) {
		return Message{}, fmt.Errorf("%w: %s is not that of the task", ErrInvalid, HeaderID)
	}
	return m, nil
}

func matches(signatures, id, timestamp string, body []byte, secrets []Secret) bool {
	for i, text := range strings.Fields(signatures) {
		encoded, ok := strings.CutPrefix(text, "v1,")
		sum, err := base64.StdEncoding.DecodeString(encoded)
		if !ok || err != nil {
			continue
		}
		if i >= SignaturesMax {
			return false
		}
		for _, s := range secrets {
			if hmac.Equal(sum, s.sum(id, timestamp, body)) {
				return true
			}
		}
	}
	return false
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// VerifyRequest reads the body of r, up to BodyMax bytes, and verifies the request with [Verify]. w is the
// ResponseWriter of the request; it is used to limit the body.
func VerifyRequest(w http.ResponseWriter, r *http.Request, secrets ...Secret) (Message, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, BodyMax))
	if err != nil {
		return Message{}, fmt.Errorf("the body can't be read: %w", err)
	}
	return Verify(r.Header, body, time.Now(), secrets...)
}
