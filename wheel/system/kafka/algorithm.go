package kafka

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm is the catalogue entry of the Kafka wheel.
var Algorithm = catalog.Algorithm{
	ID:         "kafka",
	Source:     "Apache Kafka, org.apache.kafka.server.util.timer (TimingWheel, SystemTimer)",
	Parameters: []catalog.Parameter{catalog.SlotsParameter(20, 2), catalog.WidthParameter(wheel.WidthMax), driveParameter(), unlockedParameter()},
	Build:      build,
}
