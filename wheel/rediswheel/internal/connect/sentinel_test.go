package connect

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/redistest"
)

// An invalid address of Sentinels causes a one-line error, which does not contain its passwords.
func TestBadSentinelAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"redis+sentinel://:secret@a:1,b/main":                                 `"b" is not HOST:PORT`,
		"redis+sentinel://:secret@a:1":                                        "no name of a master",
		"redis+sentinel://:secret@a:1/main/x":                                 `DB "x"`,
		"redis+sentinel://:secret@a:1/main?x=secret":                          `parameter "x"`,
		"redis+sentinel://:secret%zz@a:1/main":                                "not a URL",
		"redis+sentinel:///main":                                              `"" is not HOST:PORT`,
		"redis+sentinel://:secret@a:1" + strings.Repeat(",a:1", sentinelsMax): "33 Sentinels, at most 32",
	} {
		_, err := Dial(context.Background(), address, "")
		redistest.ExpectLine(t, err, ErrInput, "address of Sentinels: "+want)
		if strings.Contains(err.Error(), "secret") {
			t.Errorf("the password is shown: %v", err)
		}
	}
	o, ok, err := parseSentinels("rediss+sentinel://u:p%40@a:1,[::1]:2/main/3?sentinel_user=su&sentinel_password=sp")
	if !ok || err != nil || o.Username != "u" || o.Password != "p@" || len(o.SentinelAddrs) != 2 || o.SentinelAddrs[1] != "[::1]:2" ||
		o.MasterName != "main" || o.DB != 3 || o.SentinelUsername != "su" || o.SentinelPassword != "sp" || o.TLSConfig == nil {
		t.Errorf("%+v, %v, %v", o, ok, err)
	}
}

// Sentinels that do not answer cause the same error as a Redis server that does not answer.
func TestNoSentinels(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	_, err := Dial(ctx, "redis+sentinel://127.0.0.1:1/main", "")
	redistest.ExpectLine(t, err, ErrUnreachable, "no Redis at master main of Sentinels 127.0.0.1:1: ")
}
