package main

import (
	"bytes"
	"os"
	"testing"
)

// The generated files are current.
func TestFilesAreCurrent(t *testing.T) {
	files, err := generate("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 5 {
		t.Fatalf("%d files", len(files))
	}
	for name, want := range files {
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not current (make generate); %v", name, err)
		}
	}
}
