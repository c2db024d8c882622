package quiz_test

import (
	"context"
	"fmt"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/quiz"
)

// A question about a run is answered by computing the run.
func ExampleQuiz() {
	p, err := program.Load([]byte(`{"wheelscope": 1, "name": "two", "until": 6,
	"lanes": [{"algorithm": "simple", "slots": 8}, {"algorithm": "heap"}],
	"workload": {"ops": [
		{"at": 0, "op": "schedule", "timer": "a", "delay": 3},
		{"at": 0, "op": "schedule", "timer": "b", "delay": 5},
		{"at": 2, "op": "cancel", "timer": "b"}]}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	store := sim.NewStore(sim.StoreOptions{})
	defer store.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	run, err := store.Open(ctx, p)
	if err != nil {
		fmt.Println(err)
		return
	}
	store.Retain(ctx, run)
	a := &quiz.Quiz{Run: run}
	answer, err := a.Answer(ctx, quiz.Query{Kind: quiz.KindWhen, Lane: "heap", Timer: "a"}, 1)
	fmt.Println(answer.Value, err)
	// Output: 3 <nil>
}
