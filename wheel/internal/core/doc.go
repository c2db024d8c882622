// Package core has the building blocks that the algorithms share. It is not an interface
// for programs: names are exported so that the packages of the algorithms can use them.
//
//   - [Base] is what every wheel embeds: the arena, the log, the counts, and the methods of
//     wheel.Wheel that are the same in all. Its Drive is the loop of Advance, its
//     ScheduleWith the way of a new timer.
//   - [Arena] holds the timers as nodes of 32 bytes without pointers, [Pace] calls the hook.
//   - [Slot], [RoundSlot] and [Chain] hold the timers of one slot: a vector, a vector with
//     rounds, a linked list. [FreeList] keeps vectors that slots have given up.
//   - [LevelSet] is an array of slots for each level, [Bitmap] finds the next occupied slot,
//     [DelayQueue] holds slots by tick.
//   - [Checker] verifies all of these.
//
// An algorithm embeds Base, implements [Placer] (where a timer goes) and [TickProcessor]
// (what a tick does), and writes an event for each thing it does. Package unsorted is the
// shortest example.
package core
