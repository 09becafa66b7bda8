package mcp

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// draining is a transport that reports the end of the input only when what was
// asked has been answered: a script that pipes its calls and closes its side
// gets every result. The SDK alone cancels calls at the end of the input.
type draining struct {
	sdk.Transport
	limit time.Duration // waited at most
}

// Connect wraps the connection.
func (d draining) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := d.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &drainingConn{Connection: c, limit: d.limit, closed: make(chan struct{}), idle: make(chan struct{}, 1), open: map[any]bool{}}, nil
}

type drainingConn struct {
	sdk.Connection
	limit  time.Duration
	once   sync.Once
	closed chan struct{}
	idle   chan struct{} // holds a token after an answer

	mu   sync.Mutex
	open map[any]bool // ids of calls without an answer yet
}

// Read gives the next message; at the end of the input it waits for the answers.
func (c *drainingConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if r, ok := m.(*jsonrpc.Request); ok && r.ID.IsValid() {
		c.mu.Lock()
		c.open[r.ID.Raw()] = true
		c.mu.Unlock()
	}
	if err == nil {
		return m, nil
	}
	limit := time.NewTimer(c.limit)
	defer limit.Stop()
	for c.waiting() {
		select {
		case <-c.idle:
		case <-limit.C:
			return m, err
		case <-c.closed:
			return m, err
		case <-ctx.Done():
			return m, err
		}
	}
	return m, err
}

func (c *drainingConn) waiting() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.open) > 0
}

// Write counts an answer once it is written.
func (c *drainingConn) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if r, ok := m.(*jsonrpc.Response); ok {
		c.mu.Lock()
		delete(c.open, r.ID.Raw())
		c.mu.Unlock()
		select {
		case c.idle <- struct{}{}:
		default:
		}
	}
	return err
}

// Close also ends a wait.
func (c *drainingConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Connection.Close()
}
