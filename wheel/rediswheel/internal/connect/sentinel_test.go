package connect

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/redistest"
)

// An invalid address causes a one-line error, which does not contain its passwords, however it is written.
func TestBadAddressesShowNoPassword(t *testing.T) {
	for _, address := range []string{
		"user:SECRET@host:1", "redis:/user:SECRET@host:1", "SECRET@host:1", "redis+sentinel://u:SECRET:x/y@a:1/main", "redis://u:SECRET@host:port/0",
		"redis://u:SECRET@host:x?master_name=main", "redis://u:SECRET@host:1/x?master_name=main", "redis://host:1?master_name=&password=SECRET",
		"redis://host:1?master_name=main&nothing=SECRET", "http://u:SECRET@host:1", "//u:SECRET@host:1",
	} {
		_, err := Dial(context.Background(), address, "")
		redistest.ExpectLine(t, err, ErrInput, "address of ")
		if strings.Contains(err.Error(), "SECRET") {
			t.Errorf("the password is shown: %v", err)
		}
	}
}

// The address of Sentinels is a URL of go-redis.
func TestSentinelAddress(t *testing.T) {
	c, err := connectSentinels("rediss://su:sp@a:1/3?master_name=main&addr=[::1]:2&username=u&password=p%40", "unused")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	o := c.(sentinelClient).Options()
	if o.Username != "u" || o.Password != "p@" || o.DB != 3 || o.TLSConfig == nil || Address(c) != "master main of Sentinels a:1,[::1]:2" {
		t.Errorf("%+v, %s", o, Address(c))
	}
}

// Sentinels that do not answer cause the same error as a Redis server that does not answer.
func TestNoSentinels(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	_, err := Dial(ctx, "redis://127.0.0.1:1?master_name=main", "")
	redistest.ExpectLine(t, err, ErrUnreachable, "no Redis at master main of Sentinels 127.0.0.1:1: ")
}
