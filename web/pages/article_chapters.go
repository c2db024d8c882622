package pages

import (
	"embed"
	"sync"

	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/templates/learn"
)

//go:embed chapters/*.json
var chapterFiles embed.FS

// chapter holds the properties of a chapter that neither its texts nor its scenario contain.
type chapter struct {
	name     string          // name of the scenario file, and prefix of the keys of the texts
	tick     int64           // the picture initially shows the run at the end of this tick
	rate     int             // playback rate of the picture, in ticks per second
	right    int             // number of the correct answer to the question, counting from 1
	follows  bool            // whether the text describes what happens to the timer named timerName
	controls []learn.Control // controls without labels and values; see controlsOf
}

// timerName is the name of the timer that the text of a chapter describes.
const timerName = "A"

// chapters lists the chapters in order.
var chapters = []chapter{
	{"list", 10, 4, 3, false, []learn.Control{
		{Name: "add", Path: "workload.generate.0.count", Add: 1000},
	}},
	{"heap", 5, 4, 3, true, []learn.Control{
		{Name: "count", Path: "workload.generate.0.count", Values: []int64{7, 15, 31, 63, 127, 255, 511, 1023}},
	}},
	{"wheel", 5, 2, 2, true, []learn.Control{
		{Name: "delay", Path: "workload.ops.5.delay", Least: 1, Most: 20},
	}},
	{"rounds", 20, 4, 2, true, []learn.Control{
		{Name: "slots", Path: "lanes.0.slots", Values: []int64{4, 8, 12, 16, 24, 32, 64}},
		{Name: "delay", Path: "workload.ops.0.delay", Least: 1, Most: 60},
	}},
	{"levels", 60, 5, 3, true, []learn.Control{
		{Name: "slots", Path: "lanes.0.slots", Least: 8, Most: 16},
		{Name: "delay", Path: "workload.ops.0.delay", Least: 1, Most: 500},
		{Name: "cascade", Find: "cascade"},
		{Name: "add", Path: "workload.generate.1.count", Add: 1000},
	}},
	{"systems", 3000, 1000, 2, true, []learn.Control{
		{Name: "delay", Path: "workload.ops.0.delay", Values: []int64{1, 10, 50, 100, 250, 500, 1000, 2000, 5000, 10000, 20000, 30000, 45000, 60000}},
	}},
}

// opening is the picture beside the first words. It has no controls, and its texts are those of the introduction.
var opening = chapter{"start", 0, 2, 0, true, nil}

// openingProgram returns the program of opening.
var openingProgram = sync.OnceValue(opening.program)

// file returns the content of the chapter's scenario file.
func (c *chapter) file() []byte {
	data, err := chapterFiles.ReadFile("chapters/" + c.name + ".json")
	if err != nil {
		panic("article: " + err.Error()) // the file is embedded
	}
	return data
}

// programs returns the program of each chapter. The first call loads the programs.
var programs = sync.OnceValue(func() []*program.Program {
	list := make([]*program.Program, len(chapters))
	for i := range chapters {
		list[i] = chapters[i].program()
	}
	return list
})

// program loads the chapter's scenario file.
func (c *chapter) program() *program.Program {
	p, err := program.Load(c.file())
	if err != nil {
		panic("article: " + c.name + ": " + err.Error()) // a test loads every file
	}
	return p
}

// timer returns the ID of the timer that the text of the chapter describes, or 0 if there is none. p is the
// program of the chapter.
func (c *chapter) timer(p *program.Program) uint32 {
	for id := range uint32(p.Timers()) {
		if c.follows && p.Name(id+1) == timerName {
			return id + 1
		}
	}
	return 0
}
