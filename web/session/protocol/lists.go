package protocol

// Types of lists whose elements are identified by position.
type (
	// Rows is a flat list of events, each a sequence of integers in the order of RowColumns.
	Rows []int64
	// Names is a flat list with three elements per timer: its ID, its name and its due tick.
	Names []any
	// Entries is a flat list of timers, each a sequence of integers in the order of EntryFields.
	Entries []any
	// Counts is a list of numbers in the order of CountNames.
	Counts []int64
	// Cost is a list of numbers in the order of CostNames.
	Cost []int64
	// TickCosts is a flat list of costs per tick, each a sequence of integers in the order of TickCostColumns: a lane, a
	// tick, the number of ticks from it on that have the same cost, and that cost. Ticks that are not in the list have an
	// unknown cost.
	TickCosts []int64
	// Futures is a flat list of what would happen to timers, each a sequence of integers in the order of FutureColumns:
	// the kind of the event that would end the scheduling, the place where the timer would then be, its rounds, and the
	// reason if it would be rejected. The place is [-128, 0] if there is none, and rounds is −1 in lanes without rounds.
	Futures []int64
	// Level is [level, slots, width]: a level, the number of its slots, and their width in base ticks. Level −1 is a
	// list beside the wheel.
	Level []int64
	// Place is [level, slot, count, Entries]. count is the number of timers in the place. In mode "counts", Entries has
	// at most the first 20 timers of the place, and may be empty if the field `rest` of the `state` message is false.
	Place []any
	// Due is [level, slot, due], a slot in the delay queue and the tick at which it is due.
	Due []int64
	// SlotsChange is [level, [slot, count, …]]: the slots of one level in which the number of timers has changed, each
	// with its new number of timers.
	SlotsChange []any
	// Activity is [cost, moves, timers, [kind, count, …], first, flows, all]: what a lane did in a tick or a step.
	// cost is the total cost. moves is the part of it for moving timers between places, and timers is the part of it for
	// touching timers. Each kind of event is followed by count, the number of events of that kind. first is a list of
	// type Rows with the first event of each kind. flows is [fromLevel, fromSlot, toLevel, toSlot, count, …]: the number
	// of timers that cascaded from one slot to another. all is a list of type Rows with all events; it is empty if all
	// lanes together have more than 1,000 events.
	Activity []any
)

// Elements of the lists, in order.
var (
	RowColumns = [...]string{"seq", "tick", "lane", "kind", "id", "fromLevel", "fromSlot", "toLevel", "toSlot", "before", "x", "due", "run", "code", "cost"} // names, in order, of the integers that describe one event in Rows
	CountNames = [...]string{"live", "scheduled", "rejected", "cancelled", "expired", "missed", "early", "late", "findings"}                                 // names, in order, of the numbers in Counts
	// CostNames are the names, in order, of the numbers in Cost. The last four divide the cost of the whole tick, also
	// where the cursor is within it.
	CostNames = [...]string{"tick", "worst", "worstAt", "total", "slots", "touched", "compared", "moved"}
	// TickCostColumns are the names, in order, of the integers in TickCosts.
	TickCostColumns = [...]string{"lane", "tick", "ticks", "slots", "touched", "compared", "moved"}
	// FutureColumns are the names, in order, of the integers in Futures.
	FutureColumns = [...]string{"kind", "level", "slot", "rounds", "code"}
	EntryFields   = [...]string{"id", "due", "rounds", "run", "marked"} // names, in order, of the integers that describe one timer in Entries
)

// RowWidth is the number of integers that describe one event in Rows.
const RowWidth = len(RowColumns)
