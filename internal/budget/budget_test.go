package budget

import (
	"errors"
	"sync"
	"testing"
)

func TestReserveFits(t *testing.T) {
	b := New(100)
	r, err := b.Reserve(60)
	if err != nil {
		t.Fatal(err)
	}
	_, err = b.Reserve(50)
	var full *FullError
	if !errors.As(err, &full) || full.Need != 50 || full.Available != 40 {
		t.Fatalf("got %v, want 50 needed and 40 available", err)
	}
	if r.Release(); b.Used() != 0 {
		t.Fatalf("%d bytes are reserved after Release", b.Used())
	}
	if r.Release(); b.Used() != 0 {
		t.Fatalf("%d bytes are reserved after a second Release", b.Used())
	}
}

func TestGrowKeepsWhatItHas(t *testing.T) {
	b := New(100)
	r, _ := b.Reserve(60)
	if err := r.Grow(41); err == nil {
		t.Fatal("101 of 100 bytes were reserved")
	}
	if r.Bytes() != 60 || b.Used() != 60 {
		t.Fatalf("%d, %d bytes after a refusal, want 60", r.Bytes(), b.Used())
	}
	if err := r.Grow(40); err != nil {
		t.Fatal(err)
	}
}

func TestReclaimersAreAskedInOrder(t *testing.T) {
	b := New(100)
	var asked []string
	cache, _ := b.Reserve(30)
	runs, _ := b.Reserve(50)
	b.AddReclaimer(func(need int64) bool {
		asked = append(asked, "cache")
		gave := cache.Bytes() > 0
		cache.Release()
		return gave
	})
	b.AddReclaimer(func(need int64) bool {
		asked = append(asked, "runs")
		n := runs.Bytes()
		runs.Set(max(0, n-20))
		return n > 0
	})
	if _, err := b.Reserve(40); err != nil {
		t.Fatal(err)
	}
	if len(asked) != 1 || runs.Bytes() != 50 {
		t.Fatalf("asked %v, want the cache only", asked)
	}
	if _, err := b.Reserve(50); err != nil {
		t.Fatal(err)
	}
	if runs.Bytes() != 10 {
		t.Fatalf("the runs kept %d bytes, want 10 after two requests of 20", runs.Bytes())
	}
	if _, err := b.Reserve(51); err == nil {
		t.Fatal("more than the limit was reserved")
	}
}

func TestTryCallsNoReclaimer(t *testing.T) {
	b := New(100)
	b.AddReclaimer(func(int64) bool { t.Error("an owner was asked"); return false })
	r, err := b.Try(100)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Try(1); err == nil {
		t.Fatal("101 of 100 bytes were reserved")
	}
	r.Release()
}

func TestSetMayExceedTheLimit(t *testing.T) {
	b := New(10)
	r, _ := b.Reserve(5)
	r.Set(15)
	if b.Used() != 15 {
		t.Fatalf("%d bytes are reserved, want 15", b.Used())
	}
	if _, err := b.Reserve(1); err == nil {
		t.Fatal("a budget past its limit reserved more")
	}
	if _, err := b.Reserve(0); err != nil {
		t.Fatal(err)
	}
}

func TestNilReservation(t *testing.T) {
	var r *Reservation
	r.Release()
	if r.Bytes() != 0 {
		t.Fatal("a nil reservation has bytes")
	}
}

func TestConcurrentReservationsStayWithinTheLimit(t *testing.T) {
	b := New(1000)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 2000 {
				r, err := b.Reserve(300)
				if used := b.Used(); used > 1000 {
					t.Errorf("%d of 1000 bytes reserved", used)
				}
				if err == nil {
					r.Release()
				}
			}
		})
	}
	wg.Wait()
	if b.Used() != 0 {
		t.Fatalf("%d bytes are left", b.Used())
	}
}

// The spare bytes are available to urgent reservations only.
func TestSpareIsForUrgentReservations(t *testing.T) {
	b := New(100)
	b.KeepSpare(20)
	if _, err := b.Reserve(81); err == nil {
		t.Fatal("81 of 100 bytes were reserved with 20 to spare")
	}
	if _, err := b.Reserve(80); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Try(1); err == nil {
		t.Error("the spare bytes were given to a reservation that is not urgent")
	}
	for _, reserve := range []func(int64) (*Reservation, error){b.ReserveUrgent, b.TryUrgent} {
		if _, err := reserve(10); err != nil {
			t.Error(err)
		}
	}
	if _, err := b.ReserveUrgent(1); err == nil {
		t.Error("101 of 100 bytes were reserved")
	}
}
