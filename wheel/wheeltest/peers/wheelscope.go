package peers

import "github.com/wheelscope/wheelscope/wheel/wheeltest/internal/timeradapter"

var wheelscope = Peer{Name: "wheelscope wheel/timer", Version: "this one", Make: timeradapter.Factory("hierarchical", millisecond)}
