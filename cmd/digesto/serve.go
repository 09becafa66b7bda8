package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"sync"
	"syscall"
	"time"

	"digesto"
	"digesto/app"
	"digesto/ops"
	"digesto/server"
)

// serveCmd serves pages and API.
type serveCmd struct {
	Addr        string        `name:"addr" placeholder:"HOST:PUERTO" help:"Dirección en la que se escucha. Sin ella, 127.0.0.1:8080 o el puerto libre siguiente."`
	Vectors     string        `name:"vectors" enum:"on,off" default:"off" placeholder:"on|off" help:"on: busca también por significado, con unos 15 ms más por pregunta; off: por palabras y léxico."`
	Every       time.Duration `name:"update-every" placeholder:"DURACIÓN" help:"Mira cada tanto (24h, como poco 1h) si han cambiado las normas instaladas y las trae mientras se sirve."`
	Follow      string        `name:"follow" placeholder:"DIRECCIÓN" help:"Toma la ley de donde se publica con «corpus publish» y cambia a la nueva sin dejar de contestar: una carpeta, https://…, o s3://CUBO/PREFIJO?endpoint=https://…"`
	FollowKey   string        `name:"follow-key" placeholder:"CLAVE" help:"Clave pública de quien la publica, en hexadecimal: lo que no esté firmado con ella no se sirve."`
	FollowEvery time.Duration `name:"follow-every" default:"30s" placeholder:"DURACIÓN" help:"Cada cuánto se mira si hay otra publicada."`
	Pprof       string        `name:"pprof" placeholder:"127.0.0.1:PUERTO" help:"Sirve además los perfiles del programa (memoria, procesador) en esa dirección de esta máquina. Sin ella, no."`
	Drain       time.Duration `name:"drain" placeholder:"DURACIÓN" help:"Al pararse, cuánto sigue atendiendo mientras /readyz dice que se va: tiempo para que el proxy mande a otro nodo (detrás de un proxy, 5s)."`
	Verbose     bool          `name:"verbose" help:"Una línea por petición en stderr."`
}

// Examples of the command.
func (serveCmd) Examples() []string {
	return []string{"digesto serve", "digesto serve --addr 127.0.0.1:9000 --data /srv/digesto", "curl -s http://127.0.0.1:8080/healthz"}
}

// Run serves until it is interrupted.
func (c serveCmd) Run(a *program) error {
	defer a.makeRoom()()
	l, err := c.listen(a)
	if err != nil {
		return err
	}
	defer l.Close()
	if a.Settings.Get("log") == "json" { // every line of it, for who reads them by program
		if a.Notes, err = a.Logger(slog.LevelInfo); err != nil {
			return err
		}
	}
	w, err := a.Open(a.Context)
	if err != nil {
		return err
	}
	w.Law.WordsOnly = c.Vectors != "on"
	w.Law.Wanted = make(chan string, 256)
	defer w.Close()
	if err := a.OpenStored(w); err != nil {
		return err
	}
	a.Drain = c.Drain
	if err := a.Follow(w, app.Following{Address: c.Follow, Key: c.FollowKey, Every: c.FollowEvery, Updates: c.Every > 0}); err != nil {
		return err
	}
	if w.Follow == nil { // else the law is brought in where it is published
		working, end := context.WithCancel(a.Context)
		w.Jobs = server.NewJobs(working, a.Now, a.TextWork(w))
		defer w.Jobs.Wait()
		defer end()
	}
	s, err := a.NewServer(w, c.Verbose, app.OpenTo(l))
	if err != nil {
		return err
	}
	wait, err := ops.Profiles(a.App, a.Context, c.Pprof)
	if err != nil {
		return err
	}
	defer wait()
	url := "http://" + l.Addr().String()
	a.Say("%s", a.DataNote(w))
	if a.json {
		_ = a.printJSON(map[string]string{"url": url})
	} else {
		fmt.Fprintf(a.out, "Digesto escucha en %s (Ctrl+C para terminar)\n", url)
	}
	// An index that has to be rebuilt is begun now, not at the first question.
	w.Law.Making.Add(1) // no moment in between looks ready
	var warm sync.WaitGroup
	defer warm.Wait()
	ctx, stop := context.WithCancel(a.Context)
	defer stop()
	warm.Go(func() {
		if x, late := w.Embedded.Searcher.(app.LateIndex); late {
			_, _ = x() // a fault is told to who searches
		}
		if _, done, err := w.Law.View(); err == nil {
			done()
		}
		w.Law.Making.Add(-1)
		if !w.Law.WordsOnly {
			w.Law.Fill(ctx)
		}
	})
	if w.Follow != nil {
		warm.Go(func() { w.Follow.Run(ctx) })
	}
	warm.Go(func() { w.Rehearse(ctx) })
	keep, err := a.Retention()
	if err != nil {
		return err
	}
	if len(keep) > 0 {
		warm.Go(func() { a.SweepDaily(ctx, w, keep) })
	}
	if c.Every > 0 {
		ctx, stop := context.WithCancel(a.Context)
		defer stop() // before the wait above
		warm.Go(func() { a.UpdateEvery(ctx, w.Jobs, max(c.Every, time.Hour)) })
	}
	if err := s.Serve(a.Context, l); err != nil {
		return &digesto.Error{Code: digesto.CodeUnavailable, Message: "El servidor se ha parado", Hint: "Vuelva a lanzarlo; si se repite, ejecute «digesto doctor».", Err: err}
	}
	a.Say("Terminado.")
	return nil
}

// listen opens the address asked for; without one, the default or the next free port.
func (c serveCmd) listen(a *program) (net.Listener, error) {
	addr, explicit := c.Addr, c.Addr != ""
	if !explicit {
		addr = a.Settings.Get("addr")
		explicit = a.Settings.Origins["addr"] != "por defecto"
	}
	l, err := net.Listen("tcp", addr)
	if err == nil {
		return l, nil
	}
	if !errors.Is(err, syscall.EADDRINUSE) {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "No se puede escuchar en «" + addr + "»", Err: err, Hint: "Use --addr HOST:PUERTO, por ejemplo 127.0.0.1:8080."}
	}
	if explicit {
		return nil, &digesto.Error{Code: digesto.CodeUnavailable, Message: "El puerto de «" + addr + "» está ocupado", Hint: "Pare el otro programa, elija otro con --addr, o no ponga --addr y se buscará uno libre."}
	}
	return nextFree(a, addr)
}

// nextFree tries the ports after a busy one.
func nextFree(a *program, addr string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	first, err := strconv.Atoi(port)
	if err != nil {
		return nil, err
	}
	for p := first + 1; p <= first+20 && p < 65536; p++ {
		if l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(p))); err == nil {
			a.Say("El puerto %d está ocupado: se usa el %d.", first, p)
			return l, nil
		}
	}
	return nil, &digesto.Error{Code: digesto.CodeUnavailable, Message: fmt.Sprintf("Los puertos del %d al %d están ocupados", first, first+20), Hint: "Elija uno libre con --addr HOST:PUERTO."}
}
