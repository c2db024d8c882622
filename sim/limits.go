package sim

// Limits of the input and of the computation. Exceeding one is an error that names it.
const (
	ScenarioBytesMax  = 1 << 27  // bytes of a scenario file, and of a trace's header line: 128 for each of OpsMax operations
	ServerScenarioMax = 16 << 20 // the same for scenarios that Store.Planning plans for clients that share memory
	TraceLineMax      = 64 << 10 // bytes of a trace line after the header
	TraceTickMax      = 1 << 28  // bytes of the lines of one tick, in a trace that is compared with a run
	TraceUnpackedMax  = 64 << 30 // bytes of a compressed trace after decompression
	LanesMax          = 24       // lanes of a scenario
	OpsMax            = 1 << 20  // written operations
	GroupsMax         = 256      // generated groups
	TimersMax         = 1 << 21  // operations that schedule a timer, written and generated
	SlotsMax          = 1 << 20  // slots of all lanes of a scenario, all levels
	NameMax           = 256      // bytes of a timer's, lane's or scenario's name
	TextMax           = 4096     // bytes of a title, summary or question
	RunsAtOnceMax     = 100000   // runs of a repeating timer that can fall due in one tick of a lane
	ExpiriesMax       = 1 << 28  // runs of all timers up to until, according to the plan
	FieldsMax         = 64       // fields that are read of one object of a scenario; no kind of object has as many
	ChoicesMax        = 1024     // values of a choice in a generated group
	WeightMax         = 1 << 32  // of one value of a choice
	LangsMax          = 16       // languages of a text
	TickEventsMax     = 1 << 27  // events of one lane in one tick, by Program.Estimate
	TickVisitsMax     = 1 << 24  // visits by one lane in one tick of slots that come round again, after a stall
	TickWorkMax       = 1 << 32  // slots visited and timers touched by one lane in one tick
	FlowsMax          = 512      // pairs of slots of a lane for which the cascades of one instant are counted
	LangMax           = 35       // bytes of a language's tag, "zh" (RFC 5646 section 4.4.1)
)
