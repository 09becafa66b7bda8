package model

import (
	"net"
	"syscall"
)

// LoopbackOnly is the Control of a net.Dialer that refuses every address but
// those of this machine. It looks at what is really dialled, after names are
// resolved, so no name can lead elsewhere.
func LoopbackOnly(_, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err == nil && ip != nil && ip.IsLoopback() {
		return nil
	}
	return &Fault{Kind: KindForbidden, Detail: "local only: " + address, Reason: ReasonLocal}
}
