package web

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/program"
)

// A scenario's name can't add a header or markup to the name of a saved file.
func TestAttachTakesNoHeaderFromName(t *testing.T) {
	p, err := program.Load([]byte(`{"wheelscope":1,"name":"a\r\nSet-Cookie: x=1\"; filename=b<script>","until":2,"lanes":[{"algorithm":"heap"}],"workload":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	store := sim.NewStore(sim.StoreOptions{})
	defer store.Close()
	run, err := store.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	answer := httptest.NewRecorder()
	attach(echo.New().NewContext(httptest.NewRequest(http.MethodGet, "/trace", nil), answer), run, ".csv")
	if got, want := answer.Header().Get("Content-Disposition"), `attachment; filename="a--Set-Cookie--x-1---filename-b-script-.csv"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if answer.Header().Get("Set-Cookie") != "" {
		t.Error("the name has set a header")
	}
}
