package protocol

// Types of lists whose elements are identified by position. They are aliases, because only the description of the
// messages needs their names.
type (
	// Rows is a flat list of events, each a sequence of integers in the order of RowColumns.
	Rows = []int64
	// Names is a flat list with three elements per timer: id, name, due tick.
	Names = []any
	// Entries is a flat list of timers, each a sequence of integers in the order of EntryFields.
	Entries = []any
	// Counts is a list of numbers in the order of CountNames.
	Counts = []int64
	// Cost is a list of numbers in the order of CostNames.
	Cost = []int64
	// Level is [level, slots, width]. Level −1 is a list beside the wheel.
	Level = []int64
	// Place is [level, slot, count, Entries]. In mode "counts", Entries has at most the first 20 timers of the
	// place, and may be empty if the field `rest` of the `state` is false.
	Place = []any
	// Due is [level, slot, due], a slot in the delay queue.
	Due = []int64
	// SlotsChange is [level, [slot, count, …]]: the slots of a level whose number of timers has changed, each with the
	// new number.
	SlotsChange = any
	// Activity is [cost, moves, timers, [kind, count, …], Rows, flows, Rows]: what a lane did in a tick or a step.
	// cost is the total cost, which includes moves, the cost of moving timers between places, and timers, the cost
	// of touching timers. count is the number of events of the preceding kind. The first Rows has the first event of
	// each kind. The second Rows has all events, or none if all lanes together have more than 1,000. flows is
	// [fromLevel, fromSlot, toLevel, toSlot, count, …]: the number of timers that cascaded from one slot to another.
	Activity = any
)

// Elements of the lists, in order.
var (
	RowColumns  = [...]string{"seq", "tick", "lane", "kind", "id", "fromLevel", "fromSlot", "toLevel", "toSlot", "before", "x", "due", "run", "code", "cost"} // columns of Rows
	CountNames  = [...]string{"live", "scheduled", "rejected", "cancelled", "expired", "missed", "early", "late", "findings"}                                 // names of the numbers in Counts
	CostNames   = [...]string{"tick", "worst", "worstAt", "total"}                                                                                            // names of the numbers in Cost
	EntryFields = [...]string{"id", "due", "rounds", "run", "marked"}                                                                                         // names of the integers for one timer in Entries
)

// RowWidth is the number of integers in a row of `events`.
const RowWidth = len(RowColumns)
