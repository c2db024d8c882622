package scenario

// Limits of a scenario. If a scenario exceeds a limit, the error names the limit.
const (
	BytesMax   = 1 << 27 // bytes of a scenario file, and of a trace's header line: 128 for each of OpsMax operations
	LanesMax   = 24      // lanes of a scenario
	OpsMax     = 1 << 20 // written operations
	GroupsMax  = 256     // generated groups
	TimersMax  = 1 << 21 // operations that schedule a timer, written and generated
	SlotsMax   = 1 << 20 // slots of all lanes of a scenario, all levels
	NameMax    = 256     // bytes of the name of a timer, lane or scenario
	TextMax    = 4096    // bytes of a title, summary or question
	FieldsMax  = 64      // fields that are read of an object; no kind of object has as many
	ChoicesMax = 1024    // values of a choice in a generated group
	WeightMax  = 1 << 32 // weight of one value of a choice
	LangsMax   = 16      // languages of a text
	LangMax    = 35      // bytes of a language tag such as "zh" (RFC 5646, section 4.4.1)
)
