package protocol

// Types of lists whose elements are identified by position. They are aliases, since only the description of the
// messages needs their names.
type (
	// Rows is a flat list of events, each as integers in the order of RowColumns.
	Rows = []int64
	// Names is a flat list with three elements per timer: id, name, due tick.
	Names = []any
	// Entries is a flat list of timers, each as integers in the order of EntryFields.
	Entries = []any
	// Counts is a list of numbers in the order of CountNames.
	Counts = []int64
	// Cost is a list of numbers in the order of CostNames.
	Cost = []int64
	// Level is [level, slots, width]. Level −1 is a side list.
	Level = []int64
	// Place is [level, slot, count, Entries]. In mode "counts", Entries has the first 20 timers if `rest` is
	// true, and otherwise none.
	Place = []any
	// Due is [level, slot, due], a slot in the delay queue.
	Due = []int64
	// SlotsChange is [level, [slot, count, …]].
	SlotsChange = any
	// Activity is [cost, moves, timers, [kind, count, …], Rows, flows, Rows]. The first Rows has the first
	// event of each kind. The last Rows has all events, or none if the lanes have more than 1,000. flows is
	// [level, slot, level, slot, count, …]: the number of timers that cascaded from one slot to another.
	Activity = any
)

// Elements of the lists, in order.
var (
	RowColumns  = [...]string{"seq", "tick", "lane", "kind", "id", "fromLevel", "fromSlot", "toLevel", "toSlot", "before", "x", "due", "run", "code", "cost"} // elements of a row in Rows
	CountNames  = [...]string{"live", "scheduled", "rejected", "cancelled", "expired", "missed", "early", "late", "findings"}                                 // elements of Counts
	CostNames   = [...]string{"tick", "worst", "worstAt", "total"}                                                                                            // elements of Cost
	EntryFields = [...]string{"id", "due", "rounds", "run", "marked"}                                                                                         // elements of a timer in Entries
)

// RowWidth is the number of integers in a row of `events`.
const RowWidth = len(RowColumns)
