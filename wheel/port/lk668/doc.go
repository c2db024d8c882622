// Package lk668 reproduces github.com/lk668/timewheel (7f9962e): a ring with rounds, which
// it calls circle, driven by a time.Ticker, with recurring tasks and creation times that
// spread equal intervals over the slots. As published it has eight faults, each of which
// can be switched off.
//
//	pos    = (hand + (d − passed mod d) div u) mod n
//	circle = d div u div n, less 1 if pos is the hand's slot and circle is not 0
//
// A repeat is placed by the same rule with nothing passed, before its tick moves the hand
// on. Start reading at the list of faults in lk668.go, then place.go.
package lk668
