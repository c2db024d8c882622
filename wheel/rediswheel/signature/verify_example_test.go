package signature_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/wheelscope/wheelscope/wheel/rediswheel/signature"
)

// Verify checks a request whose header and body were read before. A changed body is rejected.
func ExampleVerify() {
	secret, err := signature.ParseSecret("whsec_" + strings.Repeat("MTIzNDU2", 4))
	if err != nil {
		fmt.Println(err)
		return
	}
	now := time.Date(2026, 1, 2, 15, 0, 1, 0, time.UTC)
	h := http.Header{}
	signature.Sign(h, []signature.Secret{secret}, signature.ID("order-7", now.Add(-time.Second)), now, []byte("remind"))

	m, err := signature.Verify(h, []byte("remind"), now, secret)
	fmt.Println(m.Key, m.Due.UTC().Format(time.TimeOnly), err)
	_, err = signature.Verify(h, []byte("delete"), now, secret)
	fmt.Println(errors.Is(err, signature.ErrInvalid))
	// Output:
	// order-7 15:00:00 <nil>
	// true
}
