package lane

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// id is the algorithm's name.
const id = "redis"

func init() { algorithms.Register(algorithm()) }

// offset is the largest offset of a time zone from UTC, in hours, in either direction.
const offset = 14

func algorithm() catalog.Algorithm {
	return catalog.Algorithm{
		ID: id, Build: newLane, Coarse: true, Title: catalog.Text{EN: "The distributed wheel on Redis", ZH: "基于 Redis 的分布式时间轮"},
		Summary: catalog.Text{
			EN: "A sorted set for each minute, kept in Redis, that any number of workers empty. Published, a scan each second pops what is due and calls it back: what is missed, or popped by a worker that dies, is lost. Corrected, a worker claims under a lease and acknowledges: at least once. Both run their own Lua scripts on an embedded server.",
			ZH: "Redis 中每分钟一个有序集合，可由任意多个工作进程取空。按发布的做法，每秒扫描一次，弹出到期任务并回调：错过的、或被随后崩溃的进程弹出的任务就此丢失。修正后，进程以租约领取、回调成功后确认：至少执行一次。两者都在内嵌服务器上运行各自真正的 Lua 脚本。",
		},
		Source: "github.com/xiaoxuxiansheng/timewheel 8f0e64b, redis_time_wheel.go; corrected: wheel/rediswheel of this project",
		Guarantee: catalog.Guarantee{
			Early: catalog.Text{EN: "published, by up to 1.999 s; corrected, never", ZH: "按发布的最多提前 1.999 秒；修正后绝不"},
			Late:  catalog.Text{EN: "published, by up to 0.999 s, or never called at all; corrected, by less than a look of the worker (100 ms), longer only where a worker died or a callback failed", ZH: "按发布的最多晚 0.999 秒，或者根本不执行；修正后晚不到工作进程的一次查看（100 毫秒），只有进程崩溃或回调失败时才更久"},
		},
		Parameters: []catalog.Parameter{
			choice("as", "published", catalog.Text{EN: "the wheel as it was published, faults and all, or as the library ships it", ZH: "按发布的做法（包括所有缺陷），或本库提供的修正版"}, "published", "corrected"),
			choice("body", "own", catalog.Text{EN: "published: each task has a body of its own, or those of one key have the same", ZH: "仅发布版：每个任务各有自己的消息体，或同一键的任务消息体相同"}, "own", "same"),
			choice("remove", "due", catalog.Text{EN: "published: which minute a caller names to remove a task, that of its due time or (wrongly) that of now", ZH: "仅发布版：调用方删除任务时给出哪一分钟：任务到期的那一分钟，或（错误地）当前这一分钟"}, "due", "now"),
			{Name: "zone", Type: catalog.TypeInt, Default: int64(0), Min: -offset, Max: offset,
				Meaning: catalog.Text{EN: "published: hours by which the callers' time zone is ahead of the worker's", ZH: "仅发布版：调用方的时区比工作进程早几小时"}},
			instantParameter("dies", catalog.Text{EN: "from this tick on, counted from the start, the first worker that takes tasks dies before it calls them back; another goes on", ZH: "从该刻度（自开始计）起，第一个取到任务的工作进程在回调之前崩溃；由另一个接着工作"}),
			instantParameter("fails", catalog.Text{EN: "from this tick on, counted from the start, callbacks fail", ZH: "从该刻度（自开始计）起，回调失败"}),
			instantParameter("mends", catalog.Text{EN: "from this tick on, counted from the start, callbacks go well again", ZH: "从该刻度（自开始计）起，回调恢复正常"}),
			instantParameter("lease", catalog.Text{EN: "corrected: how long a worker holds what it claimed, half a second or more; left out, 30 s", ZH: "仅修正版：工作进程持有所领取任务的时长，至少半秒；缺省为 30 秒"}),
		},
	}
}

func choice(name, def string, meaning catalog.Text, options ...string) catalog.Parameter {
	return catalog.Parameter{Name: name, Type: catalog.TypeChoice, Default: def, Options: options, Meaning: meaning}
}

// instantParameter returns an optional parameter in base ticks.
func instantParameter(name string, meaning catalog.Text) catalog.Parameter {
	return catalog.Parameter{Name: name, Type: catalog.TypeTick, Min: 0, Max: wheel.TickMax, Meaning: meaning}
}
