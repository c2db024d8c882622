package web
import ("testing";"regexp")
func TestZZ(t *testing.T) {
	for i := 0; i < 200; i++ {
		inBubble(t, Config{}, func(t *testing.T, h *harness) {
			a := h.get("/?scenario=reach&t=0")
			m := regexp.MustCompile(`<main [^>]*>`).FindString(a.body)
			c := h.client("/ws?scenario=reach&t=0")
			defer c.close()
			if c.seq == 0 || i == 0 { t.Log(i, m, c.seq) }
			if c.seq == 0 { t.Fail() }
		})
	}
}
