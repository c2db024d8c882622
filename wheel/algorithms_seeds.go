package wheel

// tickWidth is the parameter width of a library whose ticker it is.
func tickWidth(inSeconds bool) Parameter {
	p := widthParameter(WidthMax)
	p.Meaning = Text{"base ticks from one tick of its ticker to the next", "其 ticker 相邻两次滴答之间的基本刻度数"}
	if inSeconds {
		p.Meaning = Text{"base ticks from one tick of its ticker to the next; published, it is cut to whole seconds of real time, and below one second every arming panics",
			"其 ticker 相邻两次滴答之间的基本刻度数；按发布的代码会截断为整秒，不足一秒时每次添加都会 panic"}
	}
	return p
}

// aboutATick are the bounds of a rule that leaves out the phase of the tick.
var aboutATick = Guarantee{
	Text{"by less than one tick (width), as the phase of the tick is left out; far more where a fault shows, which is told as a finding",
		"提前不到一个滴答（width），因为忽略了滴答的相位；出现缺陷时会早得多，并会报告出来"},
	Text{"up to one tick (width); far more where a fault shows, which is told as a finding",
		"最多晚一个滴答（width）；出现缺陷时会晚得多，并会报告出来"},
}

// seedLibraries are the wheels of the seeds, the code that this project began with (see
// positions), faults and all.
var seedLibraries = []Algorithm{
	{
		ID: "lk668", rounds: true, Title: Text{"lk668's timewheel", "lk668 的 timewheel"},
		Summary: Text{
			"A ring with rounds driven by a ticker, in whole seconds, with recurring tasks and creation times that spread equal intervals over the slots. It reads the wall clock for the creation times only; ticks that were missed are lost. Eight faults.",
			"由 ticker 驱动、以整秒计算的带圈数的环，支持周期任务，并按创建时间把相同间隔的任务分散到各槽。只有创建时间读取墙上时钟；错过的滴答会丢失。共有八处缺陷。"},
		Source:    "github.com/lk668/timewheel 7f9962e, timewheel.go",
		Guarantee: aboutATick,
		Parameters: append([]Parameter{slotsParameter(60, 1), tickWidth(true)}, faultParameters(lk668Faults, Text{
			"only these faults: revolution (a delay of whole revolutions fires a revolution early), storm (what is put back into the slot being visited runs again in the same tick), interval (a repeat is cut to whole ticks), times (N runs N+1 times), remove (removing a timer that has ended panics), seconds (below one second it divides by zero), created (the creation time moves the slot, not the rounds), ticks (missed ticks are never made up)",
			"只启用这些缺陷：revolution（整圈的延时早一圈触发）、storm（访问中放回本槽的任务在同一滴答内再次运行）、interval（周期被截断为整滴答）、times（N 次会运行 N+1 次）、remove（删除已结束的任务会 panic）、seconds（不足一秒则除以零）、created（创建时间只移动槽位而不改圈数）、ticks（错过的滴答不再补上）"})...),
		timed:   buildLk668,
		revisit: eachRevolution,
	},
	{
		ID: "xiaoxu", rounds: true, Title: Text{"xiaoxu's timewheel", "小徐先生的 timewheel"},
		Summary: Text{
			"A ring with rounds driven by a ticker; a key that is armed again replaces. A negative delay may index below slot 0: the panic ends the wheel's goroutine and whoever adds after that waits for ever. The slot is computed outside that goroutine. It counts ticks and reads no clock once a timer is placed; missed ticks are lost.",
			"由 ticker 驱动的带圈数的环；同一个键再次添加即替换。负延时可能得到小于 0 的槽号：panic 会终止时间轮的协程，此后的添加将永远阻塞。槽号在该协程之外计算。放置之后只数滴答、不读时钟；错过的滴答会丢失。"},
		Source:    "github.com/xiaoxuxiansheng/timewheel 8f0e64b, time_wheel.go",
		Guarantee: aboutATick,
		Parameters: append([]Parameter{slotsParameter(10, 1), tickWidth(false)}, faultParameters(xiaoxuFaults, Text{
			"only these faults: negative (a delay below 0 panics, or waits almost a revolution), ticks (missed ticks are never made up), outside (a race, not among the published unless named: the slot is computed before the tick of the same instant and used after it)",
			"只启用这些缺陷：negative（负延时会 panic，或几乎再等一圈）、ticks（错过的滴答不再补上）、outside（竞争，只有点名才启用：在同一时刻的滴答之前算出槽号，之后才放入）"})...),
		timed:   buildXiaoxu,
		revisit: eachRevolution,
	},
	{
		ID: "godis", rounds: true, Title: Text{"The wheel of godis", "godis 时间轮"},
		Summary: Text{
			"A ring with rounds driven by a ticker, in whole seconds: how a Redis written in Go expires its keys. A delay below 0 is dropped without a word, a tick below one second divides by zero. It reads no clock; missed ticks are lost.",
			"由 ticker 驱动、以整秒计算的带圈数的环：一个用 Go 写的 Redis 用它来使键过期。负延时被悄悄丢弃，不足一秒的滴答会除以零。它不读时钟；错过的滴答会丢失。"},
		Source:    "github.com/HDT3213/godis f13d9cb, lib/timewheel/timewheel.go",
		Guarantee: aboutATick,
		Parameters: append([]Parameter{slotsParameter(3600, 1), tickWidth(true)}, faultParameters(godisFaults, Text{
			"only these faults: seconds (delays are cut to whole seconds, a tick below one divides by zero), negative (a delay below 0 is dropped without a word), ticks (missed ticks are never made up)",
			"只启用这些缺陷：seconds（延时截断为整秒，不足一秒的滴答除以零）、negative（负延时被悄悄丢弃）、ticks（错过的滴答不再补上）"})...),
		timed:   buildGodis,
		revisit: eachRevolution,
	},
	{
		ID: "riicarus", rounds: true, Title: Text{"riicarus' wheel", "riicarus 时间轮"},
		Summary: Text{
			"One ring of buckets, each a priority queue by round, counted from one start timestamp; a bucket waits in a delay queue for its least round. As printed it takes the delay from now instead, and forgets to renew a bucket's timestamp, so later rounds fire at once.",
			"一圈桶，每个桶是按圈数排序的优先队列，圈数从同一个起始时间戳算起；桶按其最小圈数在延迟队列中等待。原文代码却从当前时刻计算延时，且取出一圈后不更新桶的时间戳，于是后面的圈会立即触发。"},
		Source: "seed 001, a single wheel on a delay queue (a sketch)",
		Guarantee: Guarantee{Text{"corrected, by up to width base ticks: what is due within one slot from now runs at once; as published, by whole rounds", "修正后最多提前 width 个基本刻度：一个槽宽以内到期的立即执行；按发布的代码可提前若干整圈"},
			never},
		Parameters: append([]Parameter{slotsParameter(8, 1), widthParameter(WidthMax)},
			faultParameters(riicarusFaults, Text{"faults switched on, out of stale (a bucket keeps its timestamp after a poll, so its later rounds fire at once) and delay-from-now (the delay is taken from now but added to the start); left out: as decides",
				"启用的缺陷：stale（取出一圈后桶的时间戳不更新，后面的圈立即触发）、delay-from-now（延时从当前时刻算起，却加在起始时间上）；缺省由 as 决定"})...),
		build: buildRiicarus,
	},
}
