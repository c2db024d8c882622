package cli

import (
	"runtime/debug"
	"testing"
)

func TestCommit(t *testing.T) {
	setting := func(modified string) *debug.BuildInfo {
		return &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: modified}}}
	}
	const none = "not recorded by this build"
	for want, info := range map[string]*debug.BuildInfo{none: {}, "abc": setting("false"), "abc with changes": setting("true")} {
		if got := commit(info); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := commit(nil); got != none {
		t.Errorf("%q without build info", got)
	}
}

// The version and the commit of a module that go install built are those of the module.
func TestVersionOfAModule(t *testing.T) {
	info := &debug.BuildInfo{Main: debug.Module{Version: "v0.2.1-0.20261102101112-0123456789ab"}}
	if v, c := version(info), commit(info); v != "0.2.1-0.20261102101112-0123456789ab" || c != "0123456789ab" {
		t.Errorf("version %q, commit %q", v, c)
	}
	info = &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}}}
	if v, c := version(info), commit(info); v != release || c != "abc" {
		t.Errorf("version %q, commit %q", v, c)
	}
}
