package web

import (
	"github.com/wheelscope/wheelscope/web/internal/webtest"

	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// laneIDs returns the lanes of the last hello.
func (c *client) laneIDs() string {
	var ids []string
	for _, l := range c.hello.Lanes {
		ids = append(ids, l.ID)
	}
	return strings.Join(ids, " ")
}

// A lane can be moved to an index; one beyond the last means the last.
func TestMoveLane(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		c := h.client("/ws")
		defer c.close()
		c.must(`"do":"lane","add":{"algorithm":"heap"}`)
		for _, move := range []struct {
			id   string
			to   int
			want string
		}{{"heap", 0, "heap one tower"}, {"heap", 2, "one tower heap"}, {"tower", 0, "tower one heap"}, {"tower", 23, "one heap tower"}, {"heap", 1, "one heap tower"}} {
			c.must(fmt.Sprintf(`"do":"lane","move":%q,"to":%d`, move.id, move.to))
			c.must(`"do":"state"`)
			if got := c.laneIDs(); got != move.want {
				t.Errorf("%s to %d: %s, want %s", move.id, move.to, got, move.want)
			}
		}
		for fields, want := range map[string]string{
			`"move":"no","to":1`:            "move",
			`"move":"one"`:                  "to",
			`"move":"one","to":-1`:          "to",
			`"move":"one","to":24`:          "to",
			`"remove":"one","to":1`:         "to",
			`"move":"one","remove":"tower"`: "",
		} {
			if err := c.ask(`"do":"lane",` + fields); err == nil || err.Path != want {
				t.Errorf("%s: %v, want an error at %q", fields, err, want)
			}
		}
	})
}

// The text of a file is loaded verbatim: errors have a line number and leave the session unchanged.
func TestLoadText(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		c := h.client("/ws?t=3")
		defer c.close()
		was := c.hello.Run
		for _, c2 := range []struct {
			text, path string
			line       int
		}{
			{strings.Replace(webtest.Small, `"slots":3,"levels"`, `"slots":0,"levels"`, 1), "lanes[1].slots", 2},
			{strings.Replace(webtest.Small, `"near"`, `"far"`, 1), "workload.ops[1].timer", 5},
			{webtest.Small + "\n\n}", "", 10},
			{"{\n\"wheelscope\": 1,\n\"wheelscope\": 1}", "", 3},
			{"", "", 1},
		} {
			err := c.ask(`"do":"load","text":` + strconv.Quote(c2.text))
			if err == nil || err.Path != c2.path || err.Line != c2.line {
				t.Errorf("%+v, want %q in line %d", err, c2.path, c2.line)
			}
		}
		if err := c.ask(`"do":"load","text":"{}","scenario":"reach"`); err == nil || err.Path != "text" {
			t.Errorf("both: %v", err)
		}
		c.must(`"do":"state"`)
		if c.hello.Run != was || c.tick != 3 {
			t.Errorf("after errors the cursor is at %d of %s", c.tick, c.hello.Run)
		}
		c.must(`"do":"load","tick":4,"text":` + strconv.Quote(strings.Replace(webtest.Small, `"delay":5`, `"delay":6`, 1)))
		c.must(`"do":"state"`)
		if c.hello.Run == was || c.tick != 4 {
			t.Errorf("the cursor is at %d of %s", c.tick, c.hello.Run)
		}
	})
}

// Refusals are in the language of the socket; the field's path is not translated.
func TestRefusalsInChinese(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		c := h.client("/ws?lang=zh")
		defer c.close()
		for fields, want := range map[string]protocol.Description{
			`"do":"fly"`:            {Path: "do", Message: `"fly" 不是下列之一`},
			`"do":"seek","tick":10`: {Path: "tick", Message: "10 已过场景末尾的刻度 9"},
			`"do":"seek","seq":45`:  {Path: "seq", Message: "45 不是本次运行的事件，共有 44 个"},
			`"do":"op","op":"schedule","timer":"far","delay":1,"every":0`: {Path: "every", Message: "0 不是至少 1 个刻度"},
			`"do":"op","op":"cancel","timer":"nobody"`:                    {Path: "timer", Message: `"nobody" 在刻度 0 的 cancel 之前从未启动`},
			`"do":"lane","add":{"algorithm":"simple","slots":0}`:          {Path: "add.slots", Message: "0 不是介于 1 与 65536 之间的数"},
			`"do":"lane","add":{"algorithm":"heap","arity":3}`:            {Path: "add.arity", Message: "3 不是这两者之一：2、4"},
			`"do":"lane","add":{"algorithm":"rounds","variant":"quick"}`:  {Path: "add.variant", Message: `"quick" 不是下列之一：exact, naive`},
			`"do":"lane","add":{"algorithm":"heap","slots":3}`:            {Path: "add.slots", Message: "未知字段；算法 heap 的泳道 的字段有 id, algorithm"},
			`"do":"load","scenario":"nope"`:                               {Path: "scenario", Message: `这里没有名为 "nope" 的场景`},
			`"do":"load","text":"{,}"`:                                    {Path: "", Message: "第 2 列起不是 JSON：此处"},
			`"do":"load","text":"{\"wheelscope\":1}"`:                     {Path: "lanes", Message: "缺少；应为泳道列表"},
		} {
			err := c.ask(fields)
			if err == nil || err.Path != want.Path || !strings.HasPrefix(err.Message, want.Message) {
				t.Errorf("%s: %+v, want %+v", fields, err, want)
			}
		}
		for path, want := range map[string]string{"/?lang=zh&scenario=nope": "这里没有名为", "/?lang=zh&t=10": "已过场景末尾的刻度 9"} {
			if page := h.get(path); !strings.Contains(page.body, want) {
				t.Errorf("%s does not say %s", path, want)
			}
		}
	})
}
