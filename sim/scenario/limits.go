package scenario

// Limits of a scenario. If a scenario exceeds a limit, the error names the limit.
const (
	BytesMax   = 1 << 27 // maximum number of bytes in a scenario file or in the scenario of a trace: 128 bytes for each of OpsMax operations
	LanesMax   = 24      // maximum number of lanes of a scenario
	OpsMax     = 1 << 20 // maximum number of operations in the list workload.ops
	GroupsMax  = 256     // maximum number of groups in the list workload.generate
	TimersMax  = 1 << 21 // maximum number of timers that the operations and groups of a scenario schedule
	SlotsMax   = 1 << 20 // maximum number of slots of all lanes together
	NameMax    = 256     // maximum number of bytes in the name of a timer, lane or scenario
	TextMax    = 4096    // maximum number of bytes in a title, summary or question
	FieldsMax  = 64      // number of fields of a JSON object at which decoding stops; every valid object has fewer
	ChoicesMax = 1024    // maximum number of values of a DistChoice distribution
	WeightMax  = 1 << 32 // maximum weight of a value of a DistChoice distribution
	LangsMax   = 16      // maximum number of languages of a text
	LangMax    = 35      // maximum number of bytes in a language tag such as "zh" (RFC 5646, section 4.4.1)
)
