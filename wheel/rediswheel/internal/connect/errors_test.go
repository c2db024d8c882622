package connect

import (
	"context"
	"errors"
	"io"
	"testing"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
)

// Error texts of Redis that no other test causes, and those of the client.
func TestExplain(t *testing.T) {
	for text, kind := range map[string]error{
		"LOADING Redis is loading the dataset in memory": ErrRefused,
		"MISCONF Redis is configured to save RDB":        ErrRefused,
		"CLUSTERDOWN Hash slot not served":               ErrRefused,
		"ERR The user executing the script can't run this command or subcommand script: 12ab, on @user_script:7.": ErrAccess,
		"NOPERM this user has no permissions to run 'hget'":                                                       ErrAccess,
	} {
		redistest.ExpectLine(t, Explain(errors.New(text), "here"), kind, "at here: ")
	}
	redistest.ExpectLine(t, Explain(goredis.ErrPoolTimeout, "here"), ErrUnreachable, "no connection was free")
	redistest.ExpectLine(t, Explain(io.EOF, "here"), ErrUnreachable, "it closed the connection")
	redistest.ExpectLine(t, Explain(context.DeadlineExceeded, "here"), ErrUnreachable, "no answer in time")
	if err := Explain(errors.New("ERR something else"), "here"); err.Error() != "error of Redis at here: ERR something else" {
		t.Errorf("another error: %v", err)
	}
	if err := Explain(nil, "here"); err != nil {
		t.Errorf("nothing is %v", err)
	}
}

// A version older than VersionMin is refused, an unknown one is not.
func TestCheckVersion(t *testing.T) {
	for version, ok := range map[string]bool{"7.0.15": true, "8.2": true, "255.255.255": true, "": true, "6.2.14": false} {
		if err := CheckVersion(version); (err == nil) != ok {
			t.Errorf("%q: %v", version, err)
		}
	}
}
