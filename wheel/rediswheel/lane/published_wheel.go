package lane

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
)

// Scripts of the published wheel.
var (
	//go:embed scripts/published_add.lua
	publishedAddSource string
	//go:embed scripts/published_remove.lua
	publishedRemoveSource string
	//go:embed scripts/published_scan.lua
	publishedScanSource string

	publishedAdd    = goredis.NewScript(publishedAddSource)
	publishedRemove = goredis.NewScript(publishedRemoveSource)
	publishedScan   = goredis.NewScript(publishedScanSource)
)

// publishedScripts is the distributed wheel as published (xiaoxuxiansheng/timewheel 8f0e64b,
// redis_time_wheel.go): its scripts and the rules of its scanner. The lane uses it to show the faults of that
// wheel. Programs must not use it, because it loses tasks.
//
// Scan takes the time as an argument, because each worker of the published wheel reads its own clock.
type publishedScripts struct {
	Redis goredis.Scripter
}

// publishedTask is a task as the published wheel stores it: as JSON, with the fields in this order.
type publishedTask struct {
	Key         string            `json:"key"`
	CallbackURL string            `json:"callback_url"`
	Method      string            `json:"method"`
	Req         any               `json:"req"`
	Header      map[string]string `json:"header"`
}

// publishedResult is the result of one scan. The tasks in Bodies are no longer in Redis.
type publishedResult struct {
	Deleted []string        // keys in the delete set of the scanned minute
	Bodies  []string        // popped tasks as stored in Redis, in order of score
	Fired   []publishedTask // popped tasks that can be parsed and are not in the delete set
}

// Formats of the keys of the published wheel in Redis. A minute is formatted in the time zone of the time
// that is passed to a method, executeAt for AddTask and RemoveTask, now for Scan.
const (
	publishedMinute = "2006-01-02-15:04"             // format of the minute in a key, for time.Time.Format
	publishedSlice  = "xiaoxu_timewheel_task_{%s}"   // format of the key of a slice; %s is the minute
	publishedDelSet = "xiaoxu_timewheel_delset_{%s}" // format of the key of a delete set; %s is the minute
)

// publishedSliceKey returns the key of the slice for the minute that contains t.
func publishedSliceKey(t time.Time) string {
	return fmt.Sprintf(publishedSlice, t.Format(publishedMinute))
}

// publishedDeleteSetKey returns the key of the delete set for the minute that contains t.
func publishedDeleteSetKey(t time.Time) string {
	return fmt.Sprintf(publishedDelSet, t.Format(publishedMinute))
}

// AddTask adds a task and reports whether the task is a new member of its slice. It has three faults: it does not
// replace an earlier task with the same key if that has another body or is due in another minute; it rounds executeAt
// down to the second; and the minute of the slice depends on the time zone of executeAt.
func (p publishedScripts) AddTask(ctx context.Context, key string, task publishedTask, executeAt time.Time) (bool, error) {
	task.Key = key
	body, err := json.Marshal(task)
	if err != nil {
		return false, err
	}
	keys := []string{publishedSliceKey(executeAt), publishedDeleteSetKey(executeAt)}
	n, err := publishedAdd.Run(ctx, p.Redis, keys, executeAt.Unix(), string(body), key).Int()
	return n == 1, err
}

// RemoveTask marks a task as deleted in the minute of executeAt and returns the number of marks in that
// minute. It has two faults: it has no effect if the task is in another minute, and all marks of a minute
// expire 120 s after the first of them.
func (p publishedScripts) RemoveTask(ctx context.Context, key string, executeAt time.Time) (int, error) {
	return publishedRemove.Run(ctx, p.Redis, []string{publishedDeleteSetKey(executeAt)}, key).Int()
}

// Scan pops the tasks that are due in the second that contains now, or in the next one, from the slice of the
// minute that contains now, in the time zone of now. It has four faults: it returns tasks up to two seconds
// early; only one scan covers second :00 of a minute, whereas two cover every other second; no later scan covers a
// second that was missed; and the returned tasks are no longer stored anywhere.
func (p publishedScripts) Scan(ctx context.Context, now time.Time) (publishedResult, error) {
	keys := []string{publishedSliceKey(now), publishedDeleteSetKey(now)}
	answer, err := publishedScan.Run(ctx, p.Redis, keys, now.Unix(), now.Unix()+1).Slice()
	if err != nil {
		return publishedResult{}, err
	}
	r := &engine.Reader{List: answer}
	var scan publishedResult
	for marks := r.Sub(); marks.More(); {
		scan.Deleted = append(scan.Deleted, marks.Text())
	}
	for r.More() {
		scan.Bodies = append(scan.Bodies, r.Text())
	}
	scan.Fired = scan.fired()
	return scan, r.Err
}

// fired returns the tasks in s.Bodies that can be parsed and are not marked as deleted. Like the published
// wheel, it ignores the others.
func (s publishedResult) fired() []publishedTask {
	deleted := map[string]bool{}
	for _, key := range s.Deleted {
		deleted[key] = true
	}
	var tasks []publishedTask
	for _, body := range s.Bodies {
		var task publishedTask
		if json.Unmarshal([]byte(body), &task) == nil && !deleted[task.Key] {
			tasks = append(tasks, task)
		}
	}
	return tasks
}
