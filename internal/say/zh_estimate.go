package say

// zhEstimate has messages about scenarios that need too much memory or too much work in one
// tick.
var zhEstimate = map[string]string{
	"the scenario needs about %s (lanes: %d, timers: %d); %s are available: expected fewer lanes, slots or timers": "该场景约需 %s（泳道 %s 条，定时器 %s 个）；可用 %s：请减少泳道、槽或定时器",
	"it could take %d %s in one tick of the lane %s; expected at most %d":                                          "泳道 %[3]s 在一个刻度内可能有 %[1]s %[2]s；至多 %[4]s",
	"after %d ticks without an advance the lane %s could have %d %s in one tick; expected at most %d":              "停顿 %[1]s 个刻度之后，泳道 %[2]s 在一个刻度内可能有 %[3]s %[4]s；至多 %[5]s",
	"this needs about %s of memory; %s are available now: try again in a while":                                    "这约需内存 %s；目前可用 %s：请稍后再试",
	"events":                    "个事件",
	"visits of slots":           "次槽访问",
	"slots and timers to visit": "次槽与定时器访问",
}
