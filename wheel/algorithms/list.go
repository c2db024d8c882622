package algorithms

import (
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/port/godis"
	"github.com/wheelscope/wheelscope/wheel/port/lk668"
	"github.com/wheelscope/wheelscope/wheel/port/riicarus"
	"github.com/wheelscope/wheelscope/wheel/port/xiaoxu"
	"github.com/wheelscope/wheelscope/wheel/scheme/binheap"
	"github.com/wheelscope/wheelscope/wheel/scheme/calendar"
	"github.com/wheelscope/wheelscope/wheel/scheme/hashedsorted"
	"github.com/wheelscope/wheelscope/wheel/scheme/hierarchical"
	"github.com/wheelscope/wheelscope/wheel/scheme/rounds"
	"github.com/wheelscope/wheelscope/wheel/scheme/simple"
	"github.com/wheelscope/wheelscope/wheel/scheme/sorted"
	"github.com/wheelscope/wheelscope/wheel/scheme/unsorted"
	"github.com/wheelscope/wheelscope/wheel/system/agrona"
	"github.com/wheelscope/wheelscope/wheel/system/callout"
	"github.com/wheelscope/wheelscope/wheel/system/goruntime"
	"github.com/wheelscope/wheelscope/wheel/system/kafka"
	"github.com/wheelscope/wheelscope/wheel/system/linux"
	"github.com/wheelscope/wheelscope/wheel/system/nats"
	"github.com/wheelscope/wheelscope/wheel/system/netty"
	"github.com/wheelscope/wheelscope/wheel/system/tokio"
)

// catalogue lists the algorithms in display order.
var catalogue = []catalog.Algorithm{
	simple.Algorithm,
	rounds.Algorithm,
	hierarchical.Algorithm,
	sorted.Algorithm,
	binheap.Algorithm,
	unsorted.Algorithm,
	hashedsorted.Algorithm,
	tokio.Algorithm,
	linux.Algorithm,
	kafka.Algorithm,
	netty.Algorithm,
	linux.ClassicAlgorithm,
	callout.Algorithm,
	goruntime.Algorithm,
	nats.Algorithm,
	agrona.Algorithm,
	calendar.Algorithm,
	lk668.Algorithm,
	xiaoxu.Algorithm,
	godis.Algorithm,
	riicarus.Algorithm,
}
