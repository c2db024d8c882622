package signature_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/wheelscope/wheelscope/wheel/rediswheel/signature"
)

// A receiver verifies a callback. The function send signs it as a worker does.
func Example() {
	secret, err := signature.ParseSecret("whsec_" + strings.Repeat("MTIzNDU2", 4))
	if err != nil {
		fmt.Println(err)
		return
	}
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		message, err := signature.VerifyRequest(w, r, secret)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		fmt.Printf("task %s, due at %s: %s\n", message.Key, message.Due.Format(time.TimeOnly), message.Body)
	}))
	defer receiver.Close()

	send := func(signed, sent string) {
		r, err := http.NewRequest("POST", receiver.URL, bytes.NewBufferString(sent))
		if err != nil {
			fmt.Println(err)
			return
		}
		due := time.Date(2026, 1, 2, 15, 0, 0, 0, time.UTC)
		signature.Sign(r.Header, []signature.Secret{secret}, signature.ID("order-7", due), time.Now(), []byte(signed))
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			fmt.Println(err)
			return
		}
		defer answer.Body.Close()
		fmt.Println(answer.StatusCode)
	}
	send(`{"order":7}`, `{"order":7}`)
	send(`{"order":7}`, `{"order":8}`)
	// Output:
	// task order-7, due at 15:00:00: {"order":7}
	// 200
	// 401
}
