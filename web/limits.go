package web

import (
	"time"
)

// Limits of the server that apply to its clients. A request that exceeds a limit gets an error that
// names the limit. Other clients are not affected.
const (
	CommandsBurst    = 120       // maximum number of commands from one socket in a burst
	RefusalsMax      = 600       // maximum number of commands from one socket that are rejected for exceeding the rate limit; if there are more, the socket is closed
	WriteBufferBytes = 256 << 10 // size, in bytes, of a socket's send buffer in the operating system
	BodyBytesMax     = 64 << 10  // maximum size, in bytes, of a request body that is neither a scenario nor a file
	UploadsMax       = 8         // maximum number of files of more than BodyBytesMax bytes that are received or used concurrently
	UploadRateMin    = 16_000    // minimum rate at which a file must arrive, in bytes per second
	HeaderBytesMax   = 32 << 10  // maximum size, in bytes, of a request header
	QueryMax         = 2 << 10   // maximum length, in bytes, of a URL query
	TokenMin         = 16        // minimum length, in bytes, of the token that requests to a protected server must contain
	TokenMax         = 1 << 10   // maximum length, in bytes, of the token that requests to a protected server must contain
	ExportsMax       = 4         // maximum number of traces and other exports of runs that are sent concurrently
	PicturesMax      = 4         // maximum number of pictures that are drawn concurrently
	AnswersMax       = 64        // maximum number of concurrent requests for answers that are quick to compute
	ComparesMax      = 16        // maximum number of concurrent requests for comparisons and other costly answers
	AnswerRateMin    = 16_000    // minimum rate at which a client must read a file, in bytes per second
	tasksShown       = 50        // maximum number of tasks on a page of the list of tasks
	WheelsMax        = 16        // maximum number of wheels on Redis that the worker page shows

	readHeaderWait = 5 * time.Second  // timeout for reading the header of a request
	requestWait    = 30 * time.Second // timeout for reading a request, and for writing each part of a response
	idleWait       = 2 * time.Minute  // time after which an idle connection is closed
	writeWait      = 10 * time.Second // timeout for writing one message; a slower client is disconnected
	pingInterval   = 25 * time.Second // interval between pings on a socket
	pongWait       = 60 * time.Second // time after which a socket is closed if neither a pong nor a message has arrived
	uploadGrace    = 5 * time.Second  // additional time for receiving a file, beyond the time needed at the rate UploadRateMin
	closeWait      = 2 * time.Second  // timeout for sending the reason for closing a socket, and for the client's response to it
	messageWait    = 10 * time.Second // timeout for receiving a message, from the beginning of its first frame
	answerGrace    = 30 * time.Second // additional time for sending a file, beyond the time needed at the rate AnswerRateMin
	tasksWait      = 3 * time.Second  // timeout for reading the statistics of a wheel on Redis
	tasksFresh     = time.Second      // time for which the statistics of a wheel on Redis are cached
)

// briefSlice is the time for which a short job may use a processor before another waiting job gets its turn. There are
// three kinds of short jobs, each with its own queue: playback of a session at a steady pace, any other work of a
// session, and the rendering of a page. A short job takes a few milliseconds, but hundreds of short jobs would delay
// each other if they ran concurrently. If a short job must first compute a part of a run, it gives up its turn and
// waits for a turn in the store's queue, in which all runs are computed.
const briefSlice = 5 * time.Millisecond

// framesShare is the relative share of processor time for the queue of sessions that play at a steady pace. Each other
// queue, including the one in which runs are computed, has a share of 1.
const framesShare = 4
