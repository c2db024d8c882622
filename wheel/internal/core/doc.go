// Package core provides the building blocks that the algorithms share. It is not meant for use by
// programs: names are exported only so that the packages of the algorithms can use them.
//
//   - [Base] is embedded by every wheel. It has the arena, the log, the counts, and the
//     methods of wheel.Observable that are the same in all. Base.Drive implements Advance, and
//     Base.ScheduleWith implements Schedule.
//   - [Arena] holds the timers as nodes of 32 bytes without pointers. [Pace] calls the hook.
//   - [Slot], [RoundSlot] and [Chain] hold the timers of one slot: in a vector, in a vector with
//     rounds, and in a linked list. [FreeList] keeps vectors for reuse by other slots.
//   - [LevelSet] has an array of slots per level, [Bitmap] finds the next occupied slot, and
//     [DelayQueue] orders slots by tick.
//   - [LevelWheel], [ListWheel] and [RoundSlots] hold the state of three kinds of wheels, and
//     implement the methods that work on it. The kinds are wheels with levels whose tick is a base
//     tick, wheels with one list, and wheels with one array of slots with rounds.
//   - [Checker] verifies all of these.
//
// An algorithm embeds Base, implements [Placer] (where a timer goes) and [TickProcessor]
// (what a tick does), and emits an event for each change. Package unsorted is the shortest
// example.
package core
