package rediswheel_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// Missed runs are skipped, or one of them is made up for. Times of cron are those of its zone.
func TestNextRun(t *testing.T) {
	at := func(text string) time.Time { return redistest.Must(time.Parse(time.RFC3339, text))(t) }
	hourly, daily := rediswheel.Task{Every: time.Hour}, rediswheel.Task{Cron: "30 2 * * *", Zone: "Europe/Berlin"}
	catchUp := func(t rediswheel.Task) rediswheel.Task { t.CatchUp = true; return t }
	for i, x := range []struct {
		task           rediswheel.Task
		due, now, want string
	}{
		{hourly, "2026-11-28T10:15:00Z", "2026-11-28T10:15:03Z", "2026-11-28T11:15:00Z"},
		{hourly, "2026-11-28T10:15:00Z", "2026-11-28T15:00:00Z", "2026-11-28T15:15:00Z"},
		{catchUp(hourly), "2026-11-28T10:15:00Z", "2026-11-28T15:00:00Z", "2026-11-28T14:15:00Z"},
		{daily, "2026-11-28T01:30:00Z", "2026-11-28T01:31:00Z", "2026-11-29T01:30:00Z"},
		{daily, "2026-07-01T00:30:00Z", "2026-07-04T12:00:00Z", "2026-07-05T00:30:00Z"},
		{catchUp(daily), "2026-07-01T00:30:00Z", "2026-07-04T12:00:00Z", "2026-07-04T12:00:00Z"},
	} {
		if got := x.task.NextRun(at(x.due), at(x.now)); !got.Equal(at(x.want)) {
			t.Errorf("%d: %v, want %s", i, got, x.want)
		}
	}
}

// Invalid periods are refused.
func TestPeriodMistakes(t *testing.T) {
	w := wheeltesting.Open(t, redistest.Embedded(t), 1)
	for want, task := range map[string]rediswheel.Task{
		"both every and cron":             {Every: time.Hour, Cron: "* * * * *"},
		"every: 1ms, expected":            {Every: time.Millisecond},
		"every: -1h0m0s, expected":        {Every: -time.Hour},
		`cron: "* * *"`:                   {Cron: "* * *"},
		`cron: "* * * * *" in "Atlantis"`: {Cron: "* * * * *", Zone: "Atlantis"},
		`cron: "0 0 30 2 *" never comes`:  {Cron: "0 0 30 2 *"},
		"only for periodic tasks":         {CatchUp: true},
		"a time zone is only for cron":    {Every: time.Hour, Zone: "UTC"},
	} {
		task.Handler = "h"
		if err := w.AddTask(t.Context(), "k", task, time.Now()); !errors.Is(err, rediswheel.ErrInput) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	if err := w.AddTask(t.Context(), strings.Repeat("k", rediswheel.KeyMax), rediswheel.Task{Handler: "h", Every: time.Hour}, time.Now()); !errors.Is(err, rediswheel.ErrInput) {
		t.Errorf("a long key: %v", err)
	}
}
