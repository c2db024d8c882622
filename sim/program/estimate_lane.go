package program

import (
	"math"
	"math/bits"

	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/system/netty"
)

// laneModel describes a lane for the estimate: constants of its algorithm, and the levels and slots that it
// has for a given workload. Tests compare the constants with the wheels.
type laneModel struct {
	slots     int64 // number of slots in all levels, including levels that are added later
	first     int64 // number of slots in the levels that exist at the beginning
	slotBytes int64 // size in bytes of an empty slot, including its share of bitmaps and of spare capacity
	keepBytes int64 // maximum memory in bytes that an empty slot keeps for reuse after its timers have left
	timer     int64 // memory in bytes of a timer that the lane stores, not including its node and its handle
	fixed     int64 // size in bytes of the parts of the wheel that do not depend on the workload
	liveMax   int64 // upper bound on the number of timers that the algorithm can store; math.MaxInt64 means no limit

	rule endRule // determines when the lane stops storing a timer
	late int64   // maximum lateness of a timer in ticks, in addition to the lateness that the field rule allows

	run     int64   // maximum number of events for one run of a timer, such as schedule, place, hand and expire
	cancel  int64   // maximum number of events for a cancel operation, whether or not the timer is pending
	once    int64   // maximum number of events of a repeating timer in the whole run, without those in run and cancel
	arity   int64   // number of children of a heap node; 0 means that the lane has no heap
	reaches []int64 // for each level of a hierarchy, the number of ticks that one slot spans
	sizes   []int64 // for each level of a hierarchy, the number of slots
	// extra is the maximum number of cascades of a timer in addition to those that its delay requires. It is nonzero
	// if, for example, timers are placed by the digits of their due ticks.
	extra   int64
	resizes bool // whether the wheel changes its number of slots

	period int64 // number of ticks after which an occupied slot is visited again; 0 means never
	// periodRule is used instead of the field rule to compute how many timers the lane visits after a stall, unless
	// periodRule is zero. Like rule, it determines when the lane stops storing a timer.
	periodRule endRule
	moved      bool // whether a visit to a slot moves each timer in it
	fires      bool // whether a visit to a slot fires each timer in it
	silent     bool // whether a visit to a slot emits no event
	loses      bool // whether the lane skips the ticks of a stall instead of catching up
	list       bool // whether, in each tick in which the lane has work, it touches all the timers that it stores

	lists int64 // number of lists among which the timers are divided, if the algorithm searches lists; 0 if it does not
}

// Sizes of the wheels' structures in bytes; see the Bytes methods of package wheel.
const (
	nodeBytes      = 32
	pageNodes      = 1 << 14 // number of nodes allocated at a time
	handleBytes    = 8
	repeatBytes    = 2 * 16 // extra memory of a repeating timer: 16 B in a slice of which half may be spare capacity
	expiryBytes    = 2 * 16
	slotBytes      = 64 + 1 // memory of an empty slot: 64 B, and 1 B for its share of the bitmap of occupied slots
	roundSlotBytes = 88 + 1
	chainBytes     = 12 + 1
	bucketBytes    = 56
	queuedBytes    = 2 * 24
	// idsBytes is the memory of a timer's ID in a slot: 4 B, times 2 for spare capacity, times 2 because cancelled timers
	// may be left in the slot, plus 2 B for the free list.
	idsBytes = 18
	// roundsBytes is the memory of a timer's rounds in a slot: 8 B, times 2 for spare capacity, times 2 because cancelled
	// timers may be left in the slot, plus 2 B for the free list.
	roundsBytes     = 34
	idsKeepBytes    = 64*4 + 64
	roundsKeepBytes = idsKeepBytes + 64*8
	goneKeepBytes   = 64 * 8 // maximum memory, in bytes, of the map of cancelled timers that an empty slot keeps for reuse
	sparesBytes     = 4096 * 4
	linearMax       = wheel.LinearMax + 1
	redisTimersMax  = 2000 + 1 // one more than timersMax of wheel/rediswheel/lane, the maximum number of timers in a lane
)

// newLaneModel returns the model of a lane, whose defaults must be filled in. An algorithm that is not in laneModels
// gets the model of a single array of slots without rounds if the PlainRing field of its catalogue entry is true, and
// otherwise a model with the highest bounds.
func newLaneModel(lane *scenario.LaneSpec, w *workloadBounds) *laneModel {
	m := &laneModel{first: int64(lane.Slots()), slots: int64(lane.Slots()), liveMax: math.MaxInt64, run: 4, cancel: 1, late: lane.Width()}
	build, ok := laneModels[lane.Algorithm]
	if !ok {
		build = otherModel
	}
	build(m, lane, w)
	return m
}

// laneModels maps each algorithm to the function that fills in its model.
var laneModels = map[string]func(m *laneModel, lane *scenario.LaneSpec, w *workloadBounds){
	"simple":        simpleModel,
	"rounds":        roundsModel,
	"hierarchical":  hierarchicalModel,
	"sorted":        listModel,
	"list":          listModel,
	"heap":          heapModel,
	"go":            goModel,
	"nats":          natsModel,
	"agrona":        agronaModel,
	"hashed-sorted": hashedSortedModel,
	"tokio":         tokioModel,
	"linux":         linuxModel,
	"linux-classic": linuxClassicModel,
	"kafka":         kafkaModel,
	"netty":         nettyModel,
	"calendar":      calendarModel,
	"lk668":         positionsModel,
	"xiaoxu":        positionsModel,
	"godis":         positionsModel,
	"riicarus":      riicarusModel,
	"redis":         redisModel,
}

// vectors sets the memory sizes in m for a wheel whose slots store their timers in slices.
func (m *laneModel) vectors() {
	m.slotBytes, m.keepBytes, m.timer, m.fixed = slotBytes, idsKeepBytes, idsBytes, sparesBytes+1024
}

// roundVectors sets the memory sizes in m for a wheel whose slots store their timers, and the rounds of each timer, in
// slices.
func (m *laneModel) roundVectors() {
	m.slotBytes, m.keepBytes, m.timer, m.fixed = roundSlotBytes, roundsKeepBytes, idsBytes+roundsBytes, sparesBytes+1024
}

func simpleModel(m *laneModel, lane *scenario.LaneSpec, _ *workloadBounds) {
	m.vectors()
	if lane.Params["overflow"] == "list" {
		m.run += 2 // cascade from the side list
		m.period, m.silent = satMul(m.slots, lane.Width()), true
		m.timer += idsBytes
	}
}

func roundsModel(m *laneModel, lane *scenario.LaneSpec, _ *workloadBounds) {
	m.roundVectors()
	m.period = satMul(m.slots, lane.Width())
	if lane.Params["variant"] != "exact" {
		m.late = satMul(m.slots+1, lane.Width())
	}
}

func hashedSortedModel(m *laneModel, lane *scenario.LaneSpec, _ *workloadBounds) {
	m.slotBytes, m.fixed, m.lists = chainBytes, 1024, m.slots
	m.period = satMul(m.slots, lane.Width())
}

func listModel(m *laneModel, lane *scenario.LaneSpec, _ *workloadBounds) {
	m.liveMax, m.fixed, m.lists = linearMax, 1024, 1
	m.list = lane.Algorithm == "list"
}

func heapModel(m *laneModel, lane *scenario.LaneSpec, _ *workloadBounds) {
	m.timer, m.fixed = 2*24, 1024
	m.arity = 2
	if lane.Params["arity"] == int64(4) {
		m.arity = 4
	}
}

// goModel fills in the model of the go algorithm. A stopped timer stays in the heap, at most until it is due; a check can
// remove all zombies and bring all stale keys up to date at once.
func goModel(m *laneModel, _ *scenario.LaneSpec, _ *workloadBounds) {
	m.timer, m.fixed, m.arity = 2*24, 1024, 4
	m.rule, m.late = endMarked, 1
	m.run, m.cancel, m.resizes = 5, 4, true
}

// natsModel fills in the model of the nats algorithm. A pass opens a slot for each of its timers that fires, once more for
// one that was cancelled, and once more after a pass that collected timers.
func natsModel(m *laneModel, lane *scenario.LaneSpec, _ *workloadBounds) {
	m.vectors()
	m.slotBytes += 8
	m.timer += 8
	m.run, m.cancel, m.late = 5, 2, 2
	if lane.Params["drive"] == "store" {
		m.late = satAdd(m.late, satMul(2, lane.Params["pause"].(int64)))
	}
}

// agronaModel fills in the model of the agrona algorithm. Each tick looks at a spoke, which can hold any of the timers.
func agronaModel(m *laneModel, lane *scenario.LaneSpec, _ *workloadBounds) {
	m.slotBytes, m.keepBytes, m.timer, m.fixed = 41, 64*4, 16, 1024
	m.period, m.late = 1, 2
	if lane.Params["polls"] == "one" || lane.Params["limit"] != int64(0) {
		m.rule = endNever
	}
}

// hierarchicalModel fills in the model of the hierarchical algorithm. If its wheel adds levels, the model has all
// levels that the latest due tick requires.
func hierarchicalModel(m *laneModel, lane *scenario.LaneSpec, w *workloadBounds) {
	m.vectors()
	var sizes []int64
	switch slots := lane.Params["slots"].(type) {
	case []int64:
		sizes = slots
	case int64:
		if levels, fixed := lane.Params["levels"].(int64); fixed {
			for range levels {
				sizes = append(sizes, slots)
			}
			break
		}
		sizes = grownLevels(slots, lane.Width(), w.horizon, wheel.LevelsMax)
	}
	m.levels(sizes, lane.Width())
	m.run = 4
	if lane.Params["placement"] == "digits" {
		m.extra = 1
	}
	if migration := lane.Params["migration"]; migration != "full" {
		m.rule = endDelayed
		m.late = lane.Width()
	}
}

// grownLevels returns the number of slots of each level of a wheel that adds levels as needed, up to
// levelsMax, after it has placed a timer that is due at tick horizon.
func grownLevels(slots, width, horizon int64, levelsMax int) []int64 {
	sizes := []int64{slots}
	for len(sizes) < levelsMax && horizon/width+1 >= slots {
		sizes = append(sizes, slots)
		if width = satMul(width, slots); width == math.MaxInt64 {
			break
		}
	}
	return sizes
}

// levels sets the levels and slots of a hierarchy. sizes lists the number of slots of each level, beginning
// with the finest, and width is the number of ticks that a slot of the finest level spans.
func (m *laneModel) levels(sizes []int64, width int64) {
	m.sizes, m.reaches, m.slots = sizes, nil, 0
	for _, n := range sizes {
		m.reaches = append(m.reaches, width)
		m.slots += n
		width = satMul(width, n)
	}
	m.fixed += int64(len(sizes))*256 + 192*slotBytes
	m.slotBytes += m.slotBytes / 4 // the array of all levels grows with each level
}

const sixLevels, digitOf64 = 6, 64

func tokioModel(m *laneModel, lane *scenario.LaneSpec, w *workloadBounds) {
	m.vectors()
	sizes := make([]int64, sixLevels)
	for i := range sizes {
		sizes[i] = digitOf64
	}
	m.levels(sizes, 1)
	m.extra = 1
	if lane.Params["library"] == "tokio-util" {
		return // longer delays are rejected
	}
	m.period, m.moved = 1<<36, true
	if w.delay >= 1<<36 {
		m.rule = endNever // far timers delay others
	}
}

// linuxModel fills in the model of the linux algorithm. If the delay of a timer exceeds the range of the wheel, the
// timer is placed at the end of the last level and fires early. A repeating timer with such a delay or interval can
// therefore fire in each revolution of the last level.
func linuxModel(m *laneModel, lane *scenario.LaneSpec, w *workloadBounds) {
	m.vectors()
	m.rule = endDelayed
	m.late = 2
	levels := lane.Params["levels"].(int64)
	if reach := int64(62) << (3 * (levels - 1)); w.repeats > 0 && w.delay >= reach {
		m.period, m.fires = reach, true
	}
}

func linuxClassicModel(m *laneModel, _ *scenario.LaneSpec, _ *workloadBounds) {
	m.vectors()
	m.levels([]int64{256, 64, 64, 64, 64}, 1)
	m.late = 2
	m.period, m.moved = 1<<32-1<<26, true
}

// endlessLevels is the maximum number of levels of a wheel that adds levels without a limit: ticks have 62 bits,
// and each level has at least two slots.
const endlessLevels = 62

func kafkaModel(m *laneModel, lane *scenario.LaneSpec, w *workloadBounds) {
	m.vectors()
	m.levels(grownLevels(lane.Params["slots"].(int64), lane.Width(), w.horizon, endlessLevels), lane.Width())
	m.run = 5 // enqueue and dequeue instead of hand
	m.extra = int64(len(m.sizes))
	if lane.Params["drive"] == "tick" {
		m.extra = 0
		return
	}
	m.slotBytes += 8 + 2 + queuedBytes
	m.fixed += 192 * 8
	m.timer += queuedBytes
	if faults, ok := lane.Params["faults"].([]string); ok && len(faults) > 0 {
		m.rule = endNever
		m.run += 2
	}
}

// nettyTransferMax is the maximum number of timers that Netty's wheel moves from its queue of new timers
// into slots in one tick.
const nettyTransferMax = netty.TransferMax

func nettyModel(m *laneModel, lane *scenario.LaneSpec, w *workloadBounds) {
	m.roundVectors()
	m.timer += idsBytes + 2*8
	m.run, m.cancel = 5, 2
	m.period = satMul(m.slots, lane.Width())
	m.late = satMul(lane.Width(), 2+w.arms/nettyTransferMax)
}

func calendarModel(m *laneModel, lane *scenario.LaneSpec, _ *workloadBounds) {
	m.slotBytes, m.fixed = chainBytes, 1024
	m.run = 3
	if lane.Params["resize"] != "off" {
		m.resizes = true
		m.timer = 2*chainBytes + 12 // pages before and after a resize, and lists of all timers
	}
}

// positionsModel fills in the model of the lk668, xiaoxu and godis algorithms.
func positionsModel(m *laneModel, lane *scenario.LaneSpec, w *workloadBounds) {
	m.roundVectors()
	m.timer += 2 * 16 // creation times
	m.period = satMul(m.slots, lane.Width())
	m.late = satMul(2, lane.Width())
	m.run, m.cancel = 7, 2
	skips := true
	faults, named := lane.Params["faults"].([]string)
	if named || lane.Params["as"] == "corrected" {
		skips = false
		for _, name := range faults {
			skips = skips || name == "ticks"
		}
	}
	m.loses = skips
	if len(faults) > 0 || !named && lane.Params["as"] != "corrected" {
		m.rule, m.periodRule = endNever, endDelayed
		m.run *= 2 // intervals are truncated to whole ticks
		m.once = 5 * rerunsMax
	}
	if skips && w.repeats == 0 {
		m.run = 7
	}
}

// rerunsMax is an upper bound on ring.RerunsMax, the maximum number of times that repeating timers can fire again in
// one visit to a slot. A timer can fire again if the wheel puts it back into the slot that is being visited.
const rerunsMax = 1000

func riicarusModel(m *laneModel, lane *scenario.LaneSpec, w *workloadBounds) {
	m.slotBytes, m.keepBytes = bucketBytes, 64*24+64
	m.fixed = 1024
	m.timer = 3 * 24
	m.rule = endMarked
	m.run, m.cancel = 6, 2
	m.late = satMul(2, lane.Width())
	// Entries of the delay queue: one for each bucket and round.
	if entries := w.horizon/lane.Width() + 1 + m.slots; entries < w.arms {
		m.fixed = satAdd(m.fixed, satMul(entries, queuedBytes+16))
	} else {
		m.timer += queuedBytes + 16
	}
	faults, named := lane.Params["faults"].([]string)
	if len(faults) > 0 || !named && lane.Params["as"] != "corrected" {
		m.rule = endNever
		m.once = 6 * rerunsMax
	}
}

func redisModel(m *laneModel, _ *scenario.LaneSpec, w *workloadBounds) {
	m.liveMax = redisTimersMax
	m.rule = endNever
	m.fixed = 256 << 10 // an embedded server
	m.timer = 2048 + 20*int64(w.nameMax)
	m.run, m.cancel = 6+2*redisAttempts, 3
}

// redisAttempts is the maximum number of times that the redis algorithm calls a callback that keeps failing.
const redisAttempts = 12

// otherModel fills in the model of an algorithm that is not in laneModels.
func otherModel(m *laneModel, lane *scenario.LaneSpec, w *workloadBounds) {
	a, ok := algorithms.Lookup(lane.Algorithm)
	if !ok || !a.PlainRing {
		unknownModel(m, lane, w)
		return
	}
	m.vectors()
	m.period = a.Revisit(lane.Params)
	m.slots = max(m.slots, m.period/lane.Width())
	m.first = m.slots
}

func unknownModel(m *laneModel, lane *scenario.LaneSpec, w *workloadBounds) {
	m.roundVectors()
	m.timer += queuedBytes + 64
	m.rule, m.late = endNever, 0
	m.run, m.cancel = 16, 4
	m.period, m.periodRule = satMul(max(m.slots, 1), lane.Width()), endDelayed
	m.extra = int64(bits.Len64(uint64(w.horizon)))
}
