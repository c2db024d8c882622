package wheel

import "slices"

// Guarantees that several algorithms share.
var (
	never          = Text{"never", "绝不"}
	onTime         = Text{"never early or late at width 1; up to width − 1 base ticks late otherwise", "宽度为 1 时分毫不差；否则最多晚 width − 1 个基本刻度"}
	neverRoundedUp = Text{"never; by up to width − 1 base ticks with rounding floor", "绝不；rounding 为 floor 时最多提前 width − 1 个基本刻度"}
	lateNone       = Text{"never: the tick is the base tick", "绝不：其刻度就是基本刻度"}
)

func slotsParameter(def, least int64) Parameter {
	return Parameter{Name: "slots", Type: TypeInt, Default: def, Min: least, Max: SlotsMax,
		Meaning: Text{"slots of the wheel", "时间轮的槽数"}}
}

func widthParameter(most int64) Parameter {
	meaning := Text{"base ticks a slot of level 0 spans", "第 0 层一个槽跨越的基本刻度数"}
	if most == 1 {
		meaning = Text{"always 1: its tick is the base tick", "恒为 1：其刻度就是基本刻度"}
	}
	return Parameter{Name: "width", Type: TypeTick, Default: int64(1), Min: 1, Max: most, Meaning: meaning}
}

func choice(name, def string, meaning Text, options ...string) Parameter {
	return Parameter{Name: name, Type: TypeChoice, Default: def, Options: options, Meaning: meaning}
}

// catalogue lists the algorithms in the order in which they are shown.
var catalogue = slices.Concat(published, seedLibraries)

// published are the schemes of 1987 and the wheels of well-known systems.
var published = []Algorithm{
	{
		ID: "simple", Title: Text{"Simple wheel", "简单时间轮"},
		Summary: Text{
			"One array of slots, one slot a tick. Start, stop and tick are O(1), but a delay must be shorter than one revolution.",
			"一个槽数组，每个刻度一个槽。启动、停止和走一刻都是 O(1)，但延时必须短于一圈。"},
		Source:    "Varghese & Lauck 1987, Scheme 4 (section 5)",
		Guarantee: Guarantee{neverRoundedUp, onTime},
		Parameters: []Parameter{slotsParameter(64, 1), widthParameter(WidthMax),
			choice("overflow", "reject", Text{"what happens to a delay of a revolution or more: refused, or kept on a side list that is scanned once a revolution",
				"延时达到或超过一圈时如何处理：拒绝，或放入每圈扫描一次的旁列表"}, "reject", "list"),
			roundingParameter()},
		build: buildSimple,
	},
	{
		ID: "rounds", Title: Text{"Wheel with rounds", "带圈数的时间轮"},
		Summary: Text{
			"One array of slots for any delay: each timer counts the revolutions it still has to wait. A tick touches every timer of its slot.",
			"一个槽数组容纳任意延时：每个定时器记录还要等待的圈数。每一刻要触及该槽里的所有定时器。"},
		Source: "Varghese & Lauck 1987, Scheme 6 (section 6.1.2)",
		Guarantee: Guarantee{Text{"never; by up to width − 1 base ticks with rounding floor or variant procinc", "绝不；rounding 为 floor 或 variant 为 procinc 时最多提前 width − 1 个基本刻度"},
			Text{"never at width 1 with variant exact; the naive variant is a revolution late whenever slots divides the delay, procinc up to a width", "variant 为 exact 且宽度为 1 时绝不；naive 变体在槽数整除延时时晚整整一圈，procinc 最多晚一个 width"}},
		Parameters: []Parameter{slotsParameter(64, 1), widthParameter(WidthMax),
			choice("variant", "exact", Text{"how rounds are counted: exact (j−1) div n; naive j div n, which is one revolution late whenever n divides j; procinc (xiaoxu, godis) j div n with the slot worked before the hand moves, j whole slots of the delay",
				"圈数的算法：exact 为 (j−1) div n；naive 为 j div n，当 n 整除 j 时会晚一圈；procinc（xiaoxu、godis）为 j div n，但先处理槽再移动指针，j 为延时所含的整槽数"}, "exact", "naive", "procinc"),
			roundingParameter()},
		build:   buildRounds,
		revisit: eachRevolution,
	},
	{
		ID: "hierarchical", Title: Text{"Hierarchical wheel", "分层时间轮"},
		Summary: Text{
			"Several wheels, each slot of a coarser one as wide as a whole finer one. Far timers wait in coarse slots and cascade to finer ones as their time comes near.",
			"若干个轮子，粗轮的一个槽与整个细轮同宽。远期定时器在粗槽中等待，临近时逐级降到更细的轮。"},
		Source: "Varghese & Lauck 1987, Scheme 7 (section 6.2)",
		Guarantee: Guarantee{Text{"never with migration full, or up to width − 1 base ticks with rounding floor; by less than a slot of its level with one and none", "migration 为 full 时绝不，rounding 为 floor 时最多提前 width − 1 个基本刻度；one 与 none 提前不到其所在层的一个槽宽"},
			Text{"up to width − 1 base ticks with migration full, so never at width 1; by less than a slot of its level with one and none", "migration 为 full 时最多晚 width − 1 个基本刻度，宽度为 1 时绝不；one 与 none 推迟不到其所在层的一个槽宽"}},
		Parameters: []Parameter{
			{Name: "slots", Type: TypeInts, Default: int64(64), Min: 1, Max: SlotsMax,
				Meaning: Text{"slots of every level, or a list with the slots of each, finest first", "每层的槽数；或一个列表，从最细层起给出各层槽数"}},
			{Name: "levels", Type: TypeInt, Min: 1, Max: LevelsMax,
				Meaning: Text{"number of levels; left out with a single size of slots, the wheel grows from one level to eight as it needs them", "层数；若 slots 为单个数且省略本项，则按需从一层增长到至多八层"}},
			widthParameter(WidthMax),
			choice("placement", "distance", Text{"the level of a timer: by distance (the lowest that reaches it) or by digits (the highest whose index differs from the clock's)",
				"定时器所在层：distance 为能够到达的最低层；digits 为索引与时钟不同的最高层"}, "distance", "digits"),
			choice("migration", "full", Text{"full: down to level 0; one: once, to the level below; none: fires where it was first placed (Nichols' variants)",
				"full：一直降到第 0 层；one：只降一层；none：在最初的槽里直接触发（Nichols 的变体）"}, "full", "one", "none"),
			choice("round", "floor", Text{"how migration one and none round a due tick to a slot", "migration 为 one 或 none 时，到期刻度如何取整到槽"}, "floor", "ceil", "nearest"),
			roundingParameter(),
		},
		build: buildHierarchical,
	},
	{
		ID: "sorted", Title: Text{"Sorted list", "有序链表"},
		Summary: Text{
			"A list in order of due tick, searched from the front. A tick looks at its head only; a start may pass every timer.",
			"按到期刻度排序的链表，从表头查找。走一刻只看表头；启动一个定时器可能要越过所有定时器。"},
		Source:     "Varghese & Lauck 1987, Scheme 2 (section 3.2)",
		Guarantee:  Guarantee{never, lateNone},
		Parameters: []Parameter{widthParameter(1)},
		build:      buildSorted,
	},
	{
		ID: "heap", Title: Text{"Heap", "堆"},
		Summary: Text{
			"A heap by due tick: start and stop move a timer up or down O(log n) places. Go's runtime uses one with four children a node.",
			"按到期刻度组织的堆：启动和停止时定时器上下移动 O(log n) 个位置。Go 运行时用的是四叉堆。"},
		Source:    "Varghese & Lauck 1987, Scheme 3 (section 4.1.1); Go runtime/time.go for arity 4",
		Guarantee: Guarantee{never, lateNone},
		Parameters: []Parameter{widthParameter(1),
			{Name: "arity", Type: TypeInt, Default: int64(2), Min: 2, Max: 4, Meaning: Text{"children of a node: 2 or 4", "每个节点的子节点数：2 或 4"}}},
		build: buildHeap,
	},
	{
		ID: "list", Title: Text{"Unordered list", "无序链表"},
		Summary: Text{
			"All timers in one list, in order of arming. Start and stop are O(1), but every tick touches every timer.",
			"所有定时器放在一个链表里，按设置的先后排列。启动和停止是 O(1)，但每一刻都要触及每个定时器。"},
		Source:     "Varghese & Lauck 1987, Scheme 1 (section 3.1)",
		Guarantee:  Guarantee{never, lateNone},
		Parameters: []Parameter{widthParameter(1)},
		build:      buildList,
	},
	{
		ID: "hashed-sorted", Title: Text{"Wheel with sorted buckets", "有序桶时间轮"},
		Summary: Text{
			"One array of slots for any delay, each slot a list in order of due tick. A tick looks at the first timer of its slot only; a start may pass every timer of the slot.",
			"一个槽数组容纳任意延时，每个槽是按到期刻度排序的链表。走一刻只看该槽的第一个定时器；启动时可能要越过该槽里的所有定时器。"},
		Source:     "Varghese & Lauck 1987, Scheme 5 (section 6.1.1)",
		Guarantee:  Guarantee{never, onTime},
		Parameters: []Parameter{slotsParameter(64, 1), widthParameter(WidthMax)},
		build:      buildHashedSorted,
		revisit:    eachRevolution,
	},
	{
		ID: "tokio", Title: Text{"tokio's wheel", "tokio 时间轮"},
		Summary: Text{
			"Six levels of 64 slots. The level is the highest digit in which the due tick differs from the clock, and a word of 64 bits a level finds the next occupied slot without a look at the empty ones.",
			"六层，每层 64 个槽。到期刻度与时钟最高的不同位段决定所在层；每层一个 64 位字直接找到下一个非空槽，不必查看空槽。"},
		Source:     "tokio, tokio/src/runtime/time/wheel (mod.rs, level.rs)",
		Guarantee:  Guarantee{never, Text{"never, unless timers more than 2^36 ticks ahead stand in the way at the top level", "绝不；除非最高层有超出 2^36 个刻度的定时器挡在前面"}},
		Parameters: []Parameter{widthParameter(1), libraryParameter()},
		build:      buildTokio,
		revisit:    revisitTokio,
	},
	{
		ID: "linux", rounds: true, Title: Text{"Linux timer wheel", "Linux 定时器轮"},
		Summary: Text{
			"Eight or nine levels of 64 slots, each level 8 times as coarse as the one below, and no cascade: a timer fires from the slot it was put into, late by what that slot rounds up.",
			"八或九层，每层 64 个槽，每升一层粗 8 倍，且不做级联：定时器直接在最初的槽里触发，晚于到期的量就是该槽向上取整的量。"},
		Source: "Linux since 4.8, kernel/time/timer.c",
		Guarantee: Guarantee{Text{"never, below a delay of 63·8^(levels−1) ticks; what is as far or farther is brought back to the end of the last level", "延时小于 63·8^(levels−1) 个刻度时绝不；达到或超过的被拉回到最后一层的末端"},
			Text{"by 1 tick up to the width of its slot, 8^level: at most 12.7 % of the delay from level 1 on", "晚 1 个刻度到一个槽宽 8^level：自第 1 层起至多为延时的 12.7 %"}},
		Parameters: []Parameter{widthParameter(1),
			{Name: "levels", Type: TypeInt, Default: int64(9), Min: 8, Max: 9, Meaning: Text{"levels: 9, or 8 as in a kernel that ticks 100 times a second or less", "层数：9；时钟频率不高于 100 Hz 的内核为 8"}}},
		build: buildLinux,
	},
	{
		ID: "kafka", Title: Text{"Kafka's wheel", "Kafka 时间轮"},
		Summary: Text{
			"A hierarchical wheel whose levels are made on demand and whose occupied slots wait in a delay queue: nothing walks over empty slots, but the clock stands while nothing expires.",
			"按需增加层的分层时间轮，非空的槽在延迟队列中等待：不必走过空槽，但没有槽到期时，时钟停着不动。"},
		Source:     "Apache Kafka, org.apache.kafka.server.util.timer (TimingWheel, SystemTimer)",
		Guarantee:  Guarantee{Text{"up to width − 1 base ticks: a due tick is rounded down to its slot", "最多提前 width − 1 个基本刻度：到期刻度向下取整到槽"}, never},
		Parameters: []Parameter{slotsParameter(20, 2), widthParameter(WidthMax), driveParameter(), unlockedParameter()},
		build:      buildKafka,
	},
	{
		ID: "netty", rounds: true, Title: Text{"Netty's wheel", "Netty 时间轮"},
		Summary: Text{
			"One array of slots with rounds, and two queues before it: a timer waits in the pending queue until the next tick brings it to its slot, and a cancelled one stays in place until a tick takes it out.",
			"一个带圈数的槽数组，前面有两个队列：新定时器先进待转移队列，下一刻才放入槽中；被取消的定时器留在原处，等某一刻再移除。"},
		Source:    "Netty 4.2, io.netty.util.HashedWheelTimer",
		Guarantee: Guarantee{never, Text{"by 1 base tick up to width: tick k is worked when it is over", "晚 1 个到 width 个基本刻度：第 k 刻在结束时才处理"}},
		Parameters: []Parameter{{Name: "slots", Type: TypeInt, Default: int64(64), Min: 1, Max: SlotsMax,
			Meaning: Text{"slots of the wheel, rounded up to a power of two", "时间轮的槽数，向上取整到 2 的幂"}}, widthParameter(WidthMax)},
		build:   buildNetty,
		revisit: revisitNetty,
	},
	{
		ID: "linux-classic", Title: Text{"Linux timer wheel, classic", "Linux 经典定时器轮"},
		Summary: Text{
			"256 slots of one tick and four levels of 64 above. When a hand has come round, the next slot of the level above cascades: exact, but a whole slot moves in one tick.",
			"256 个单刻度槽，上面四层各 64 个槽。指针转完一圈，上一层的下一个槽就级联下来：精确，但整槽定时器会在一个刻度内搬动。"},
		Source:     "Linux up to 4.7, kernel/time/timer.c (3.18)",
		Guarantee:  Guarantee{never, Text{"never; what is due already when it is armed fires at the next tick", "绝不；设置时已到期的在下一刻触发"}},
		Parameters: []Parameter{widthParameter(1)},
		build:      buildLinuxClassic,
		revisit:    revisitClassic,
	},
	{
		ID: "calendar", Title: Text{"Calendar queue", "日历队列"},
		Summary: Text{
			"A desk calendar: a timer is noted on the page of its day whatever its year, each page in order of due tick. The queue measures itself: as it fills or empties, the year gets more days or fewer, and a day a new width.",
			"一本台历：定时器记在到期那一天的页上，不论哪一年，每页按到期刻度排序。队列会自我衡量：随着定时器增多或减少，一年的天数翻倍或减半，一天的宽度也重新测定。"},
		Source:    "Brown 1988, Calendar queues (CACM 31(10))",
		Guarantee: Guarantee{never, lateNone},
		Parameters: []Parameter{
			{Name: "slots", Type: TypeInt, Default: int64(2), Min: 1, Max: SlotsMax,
				Meaning: Text{"days of the year at the beginning; it grows to 1048576 at most", "起初一年的天数；最多增长到 1048576"}},
			widthParameter(1),
			{Name: "day", Type: TypeTick, Default: int64(1), Min: 1, Max: WidthMax,
				Meaning: Text{"base ticks of a day at the beginning; it rounds nothing", "起初一天的基本刻度数；不影响到期时刻"}},
			choice("resize", "auto", Text{"auto: days and their width follow the queue; off: they stay, as in a wheel", "auto：天数与宽度随队列变化；off：保持不变，如同轮子"}, "auto", "off"),
		},
		build: buildCalendar,
	},
}
