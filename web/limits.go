package web

import (
	"time"
)

// Limits of the server that apply to its clients. A request that exceeds a limit gets an error that
// names the limit. Other clients are not affected.
const (
	CommandsBurst    = 120       // maximum number of commands of one socket in a burst
	RefusalsMax      = 600       // number of commands in excess of the rate after which a socket is closed
	WriteBufferBytes = 256 << 10 // size of the system's send buffer of a socket
	BodyBytesMax     = 64 << 10  // maximum number of bytes in the body of a request that neither imports nor compares a file
	CompareBytesMax  = 64 << 20  // maximum number of bytes in a file that is compared with a run
	BodiesMax        = 8         // maximum number of files that are being received or wait to be read
	SmallBodiesMax   = 128       // maximum number of bodies of at most BodyBytesMax bytes that are being received
	BodyRateMin      = 16_000    // minimum rate at which a file is received, in bytes per second
	SpoolMemoryMax   = 1 << 20   // maximum number of bytes in a file that is kept in memory; a larger one is written to disk while it is received
	SpoolBytesMax    = 2 << 30   // maximum number of bytes on disk in all files that are being received or read
	ImportsMax       = 2         // maximum number of traces and workloads that are read at a time; also that of scenarios
	SidesMax         = 4         // maximum number of files that are compared with a run at a time
	HeaderBytesMax   = 32 << 10  // maximum number of bytes in the header of a request
	QueryMax         = 2 << 10   // maximum number of bytes in the query of a URL
	TokenMin         = 16        // minimum length of a token, in bytes
	TokenMax         = 1 << 10   // maximum length of a token, in bytes
	ExportsMax       = 4         // maximum number of traces and other files of runs that are sent at a time
	PicturesMax      = 4         // maximum number of pictures that are drawn at a time
	AnswersMax       = 64        // maximum number of requests at a time for answers that are quick to compute
	ComparesMax      = 16        // maximum number of requests at a time for comparisons and other costly answers
	AnswerRateMin    = 16_000    // minimum rate at which a client reads a file, in bytes per second
	WheelsMax        = 16        // maximum number of wheels on Redis that the worker page shows

	readHeaderWait = 5 * time.Second
	requestWait    = 30 * time.Second // timeout for reading a request, and for writing each part of a response
	idleWait       = 2 * time.Minute  // time for which a connection without requests is kept
	writeWait      = 10 * time.Second // timeout for writing one message; a slower client is disconnected
	pingInterval   = 25 * time.Second
	pongWait       = 60 * time.Second     // time after which a socket that sends nothing is closed
	placeWait      = 2 * time.Second      // timeout for starting to receive a file if BodiesMax are being received
	slotWait       = 5 * time.Second      // timeout for starting to read a received file while others are read
	bodyGrace      = 5 * time.Second      // time after which the rate of a file must be at least BodyRateMin
	bodyTurn       = 2 * time.Minute      // time after which the slowest file may be cut off to make room for another one
	closeWait      = 2 * time.Second      // timeout for the last message of a socket that is closed
	skipPause      = 4 * time.Millisecond // pause between two reads of the rest of a message that is too large
	messageWait    = 10 * time.Second     // timeout for receiving a message, from the beginning of its first frame
	answerGrace    = 30 * time.Second     // time after which the rate of a file that is sent must be at least AnswerRateMin
	tasksWait      = 3 * time.Second      // timeout for counting the tasks on Redis
	tasksFresh     = time.Second          // time for which the count of the tasks on Redis is cached
)

// briefSlice is the time slice of the queues for short work: frames of sessions that play at a steady pace,
// other work of sessions, and pages. Short work takes a few milliseconds, but hundreds of such pieces would
// delay each other if they ran at once. While short work computes a part of a run, it holds a turn of the
// queue in which runs are computed instead of one of its own.
const briefSlice = 5 * time.Millisecond

// framesShare is the share of the processor time that the queue for frames of sessions gets, relative to each of the
// other queues, which have the share 1. One of these is the queue in which runs are computed.
const framesShare = 4
