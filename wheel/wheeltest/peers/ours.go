package peers

import "github.com/wheelscope/wheelscope/wheel/wheeltest/internal/ours"

var wheelscope = Peer{Name: "wheelscope wheel/timer", Version: "this one", Make: ours.Factory("hierarchical", millisecond)}
