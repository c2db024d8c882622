package kafka

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm describes the algorithm and builds it from parameters.
var Algorithm = catalog.Algorithm{
	ID: "kafka", Title: catalog.Text{EN: "Kafka's wheel", ZH: "Kafka 时间轮"},
	Summary: catalog.Text{
		EN: "A hierarchical wheel that adds levels on demand and keeps its occupied slots in a delay queue: empty slots cost nothing, but the clock does not advance while nothing expires.",
		ZH: "按需增加层的分层时间轮，非空的槽在延迟队列中等待：不必走过空槽，但没有槽到期时，时钟停着不动。"},
	Source:     "Apache Kafka, org.apache.kafka.server.util.timer (TimingWheel, SystemTimer)",
	Guarantee:  catalog.Guarantee{Early: catalog.Text{EN: "up to width − 1 base ticks: a due tick is rounded down to its slot", ZH: "最多提前 width − 1 个基本刻度：到期刻度向下取整到槽"}, Late: catalog.Never},
	Parameters: []catalog.Parameter{catalog.SlotsParameter(20, 2), catalog.WidthParameter(wheel.WidthMax), driveParameter(), unlockedParameter()},
	Build:      build,
}
