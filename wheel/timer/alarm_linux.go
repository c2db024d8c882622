package timer

import (
	"os"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const alarmAvailable = true

// alarm is an operating system timer (timerfd_create(2)). A goroutine waits for it as it would for
// a socket, without occupying a processor or a thread. Package time is less precise: it waits with
// a timeout in whole milliseconds, so a goroutine may wake up to a millisecond late.
type alarm struct {
	file *os.File
	raw  syscall.RawConn
}

// newAlarm returns a new alarm, or nil if the system cannot create one.
func newAlarm() *alarm {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil
	}
	a := &alarm{file: os.NewFile(uintptr(fd), "alarm")}
	if a.raw, err = a.file.SyscallConn(); err != nil {
		a.close()
		return nil
	}
	return a
}

// sleep sleeps for d and reports whether it succeeded. It makes its system calls, which never block, without notifying
// the Go scheduler, because that would cost more than the calls themselves.
func (a *alarm) sleep(d time.Duration) bool {
	set := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(max(d, 1)))} // 0 would stop it
	armed, failed := false, false
	err := a.raw.Read(func(fd uintptr) (done bool) {
		if !armed {
			armed = true
			_, _, e := unix.RawSyscall6(unix.SYS_TIMERFD_SETTIME, fd, 0, uintptr(unsafe.Pointer(&set)), 0, 0, 0)
			failed = e != 0
			return failed
		}
		var times [8]byte // the number of expirations
		_, _, e := unix.RawSyscall(unix.SYS_READ, fd, uintptr(unsafe.Pointer(&times)), unsafe.Sizeof(times))
		failed = e != 0 && e != unix.EAGAIN
		return e != unix.EAGAIN
	})
	return err == nil && !failed
}

func (a *alarm) close() { _ = a.file.Close() }
