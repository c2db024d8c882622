package protocol

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/web/internal/webtest"
)

func TestReadCommand(t *testing.T) {
	c, err := ReadCommand([]byte(`{"v":1,"id":4503599627370495,"do":"op","op":"set","timer":"a\u0062","delay":"3ms"}`))
	if err != nil || c.ID != 1<<52-1 || c.Do != "op" || !c.Has("timer") || c.Has("id") || c.Has("every") {
		t.Fatalf("%+v: %v", c, err)
	}
	if got := string(c.Object()); got != `{"delay":"3ms","op":"set","timer":"a\u0062"}` {
		t.Errorf("its own fields are %s", got)
	}
}

// Every mistake causes one line with the field that it concerns, and with the id if it was read.
func TestReadCommandErrors(t *testing.T) {
	for text, want := range map[string]struct {
		id         int64
		path, says string
	}{
		``:                                       {0, "", "can't be read"},
		`{`:                                      {0, "", "at byte 1"},
		`{"v":1,"id":1,"do":"pause"} {}`:         {0, "", "at byte 28"},
		`{"v":1,"id":1,"id":2,"do":"pause"}`:     {0, "", "duplicate"},
		"{\"v\":1,\"id\":1,\"do\":\"\xff\"}":     {0, "", "UTF-8"},
		`[1]`:                                    {0, "", "expected an object"},
		`"pause"`:                                {0, "", "expected an object"},
		`null`:                                   {0, "id", "missing"},
		`{}`:                                     {0, "id", "missing"},
		`{"v":1,"do":"pause"}`:                   {0, "id", "missing; expected a whole number between 1 and"},
		`{"v":1,"id":0,"do":"pause"}`:            {0, "id", "0 is not a whole number between 1 and"},
		`{"v":1,"id":-7,"do":"pause"}`:           {0, "id", "-7 is not"},
		`{"v":1,"id":1.5,"do":"pause"}`:          {0, "id", "1.5 is not"},
		`{"v":1,"id":1e3,"do":"pause"}`:          {0, "id", "1e3 is not"},
		`{"v":1,"id":"1","do":"pause"}`:          {0, "id", `"1" is not`},
		`{"v":1,"id":4503599627370496,"do":"x"}`: {0, "id", "4503599627370496 is not"},
		`{"v":1,"id":99999999999999999999999}`:   {0, "id", "99999999999999999999999 is not"},
		`{"id":3,"do":"pause"}`:                  {3, "v", "missing; expected 1"},
		`{"v":2,"id":3,"do":"pause"}`:            {3, "v", "2 is not 1"},
		`{"v":1,"id":3}`:                         {3, "do", "missing; expected a string"},
		`{"v":1,"id":3,"do":7}`:                  {3, "do", "7 is not a string"},
		`{"v":1,"id":3,"do":null}`:               {3, "do", "null is not a string"},
		`{"v":1,"id":3,"do":"fly"}`:              {3, "do", `"fly" is not one of events, find, lane, load, op, pause, play, preview, seek, speed, state, step`},
		`{"v":1,"id":3,"do":"PAUSE"}`:            {3, "do", `"PAUSE" is not one of`},
		`{"v":1,"id":3,"do":"pause","x":1}`:      {3, "x", "unknown field; pause takes no field"},
		`{"v":1,"id":3,"do":"seek","z":1,"a":1}`: {3, "z", "unknown field; seek takes tick, seq"},
		`{"v":1,"id":3,"tick":1,"do":"pause"}`:   {3, "tick", "unknown field; pause takes no field"},
		`{"v":1,"id":3,"x":1,"do":"pause"}`:      {3, "x", "unknown field; no command takes it"},
		`{"x":1,"id":3,"do":"pause"}`:            {0, "x", "unknown field; no command takes it"},
		`{"v":1,"id":3,"do":"state","x":[`:       {3, "x", "unknown field; state takes no field"}, // the rest is not read
		`{"v":1,"id":3,"do":"seek","tick":[}`:    {0, "", "can't be read"},
		`{"v":1,"id":3,"do":"op","op":1,"op":2}`: {0, "", "duplicate object member name at byte 31"},
	} {
		c, err := ReadCommand([]byte(text))
		r := Describe(err, "en")
		if r == nil || c.ID != want.id || r.Path != want.path || !strings.Contains(r.Message, want.says) || strings.Contains(r.Message, "\n") {
			t.Errorf("%.60s: id %d, %v; want id %d, %s: …%s…", text, c.ID, err, want.id, want.path, want.says)
		}
	}
}

// A viewer's command other than state is refused before its fields are decoded.
func TestReadCommandOfAViewer(t *testing.T) {
	for text, want := range map[string]struct {
		id  int64
		err error
	}{
		`{"v":1,"id":5,"do":"load","scenario":{{{`: {5, errViewer},
		`{"v":1,"do":"pause","x":`:                 {0, errViewer},
		`{"v":1,"id":5,"do":"state"}`:              {5, nil},
	} {
		if c, err := DecodeCommand([]byte(text), false); c.ID != want.id || err != want.err {
			t.Errorf("%s: id %d, %v; want id %d, %v", text, c.ID, err, want.id, want.err)
		}
	}
}

// A message of unknown fields costs no more than one with a single field: neither its fields nor
// the text after the first are kept.
func TestUnknownFieldsAreNotRead(t *testing.T) {
	one := []byte(`{"v":1,"id":1,"do":"state","_0":0}`)
	many := webtest.ManyFields(`{"v":1,"id":1,"do":"state"`, MessageBytesMax)
	allocs := func(data []byte) float64 { return testing.AllocsPerRun(10, func() { ReadCommand(data) }) }
	if a, b := allocs(one), allocs(many); b > a+2 {
		t.Errorf("%v allocations for %d bytes, %v for %d bytes", b, len(many), a, len(one))
	}
}

// Quoted text is shortened at a whole character.
func TestQuotesAreShort(t *testing.T) {
	long := strings.Repeat("轮", 1000)
	_, err := ReadCommand([]byte(`{"v":1,"id":1,"do":"` + long + `"}`))
	if err == nil || len(err.Error()) > 200 || !strings.Contains(err.Error(), "轮…") {
		t.Errorf("%v", err)
	}
}

func TestFieldsOfACommand(t *testing.T) {
	c, err := ReadCommand([]byte(`{"v":1,"id":1,"do":"load","scenario":"x","tick":12}`))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := c.Integer("tick", 0, 12); n != 12 || err != nil {
		t.Errorf("%d %v", n, err)
	}
	if _, err := c.Integer("tick", 0, 11); err == nil || err.Error() != "tick: 12 is not a whole number between 0 and 11" {
		t.Errorf("%v", err)
	}
	if s, err := c.Text("scenario"); s != "x" || err != nil {
		t.Errorf("%q %v", s, err)
	}
	if n, err := c.Number("tick"); n != 12 || err != nil {
		t.Errorf("%v %v", n, err)
	}
	for _, bad := range []string{`"12"`, `null`, `true`, `[1]`, `1e400`} {
		c, err := ReadCommand([]byte(`{"v":1,"id":1,"do":"speed","rate":` + bad + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Number("rate"); err == nil || err.Error() != "rate: "+bad+" is not a number" {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// For any input reading does not panic, an error is one short line, and a command has the content
// of the message.
func FuzzReadCommand(f *testing.F) {
	for do, fields := range CommandFields {
		m := map[string]any{"v": 1, "id": 7, "do": do}
		for _, name := range fields {
			m[name] = 1
		}
		seed, _ := json.Marshal(m)
		f.Add(seed)
	}
	for _, seed := range []string{``, `{}`, `[]`, `null`, `{"v":1,"id":1,"id":2}`, `{"v":1,"id":9e9,"do":"pause"}`, "{\"v\":1,\"id\":1,\"do\":\"\xff\"}",
		`{"v":1,"id":1,"do":"load","scenario":{"lanes":[[[[]]]]}}`, `{"v":1,"id":1,"do":"\u0070ause","\u0078":0}`, strings.Repeat(`{"v":`, 3000)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ReadCommand(data)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") || len(err.Error()) > 500 || c.ID < 0 {
				t.Fatalf("id %d: %q", c.ID, err)
			}
			return
		}
		var message map[string]any
		if json.Unmarshal(data, &message) != nil || message["v"] != 1.0 || message["id"] != float64(c.ID) || message["do"] != c.Do {
			t.Fatalf("%+v of %s", c, data)
		}
		var own map[string]any
		if err := json.Unmarshal(c.Object(), &own); err != nil || len(own) != len(message)-3 {
			t.Fatalf("%v: %s of %s", err, c.Object(), data)
		}
		for name := range own {
			if !slices.Contains(CommandFields[c.Do], name) || bytes.ContainsAny([]byte(name), "\"\\") {
				t.Fatalf("%s has a field %q", c.Do, name)
			}
		}
	})
}
