// Package attack contains only tests. They start the real program under a limit of 3 GB of virtual memory,
// attack it, and measure the effect on another user of the same server. They need Linux.
//
// A case is a row of a table in suite_test.go. It consists of a name and the actions of the attackers. In each
// case the server must survive, its memory must stay within bounds and be released, the other user's frames and
// pages must arrive in time, every request of an attacker must be acknowledged or refused, and no file
// descriptor may remain open.
//
//	go test -v ./internal/attack                                    the short form
//	go test -v ./internal/attack -attack.full -timeout 90m          the full one
//	go test -v ./internal/attack -run Attacks/row02 -attack.full    one case of it
//
// Start reading at suite_test.go, then trial_test.go (the environment of a case) and the cases
// in rows_*_test.go.
package attack
