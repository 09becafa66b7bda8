package fetch

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"digesto"
)

// notPublic are the ranges that netip does not call private but that lead to no
// public service: shared addresses (RFC 6598), benchmarks (RFC 2544), protocol
// assignments and documentation (RFC 6890), former site-local ones (RFC 3879), and
// NAT64, 6to4, Teredo and IPv4-compatible ones, which hide others.
var notPublic = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("2002::/16"),
	netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("100::/64"),
	netip.MustParsePrefix("::/96"), netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("3fff::/20"), netip.MustParsePrefix("5f00::/16"), netip.MustParsePrefix("fec0::/10"),
	netip.MustParsePrefix("192.88.99.0/24"),
}

// public says whether an address may be dialled.
func public(a netip.Addr) bool {
	a = a.Unmap()
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() {
		return false
	}
	return !slices.ContainsFunc(notPublic, func(p netip.Prefix) bool { return p.Contains(a) })
}

// dialer refuses addresses when they are dialled, not when names are looked up:
// a name may resolve to something else the second time.
func dialer(loopback bool) *net.Dialer {
	return &net.Dialer{Timeout: 15 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
		ap, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		if public(ap.Addr()) || loopback && ap.Addr().Unmap().IsLoopback() {
			return nil
		}
		return &digesto.Error{Code: digesto.CodeForbidden, Message: "El nombre lleva a una dirección que no es pública (" + ap.Addr().String() + ")",
			Hint: "Solo se descarga de servicios públicos; añada el fichero a mano con «digesto corpus add»."}
	}}
}

// allowed checks an address against the list of hosts and the scheme.
func (c *Client) allowed(u *url.URL) error {
	host := strings.ToLower(u.Hostname())
	switch {
	case u.User != nil:
		return refused(u, "lleva usuario o contraseña")
	case !slices.Contains(c.opt.Allow, host):
		return refused(u, "su servidor no está en la lista de fuentes permitidas")
	case u.Scheme == "https", u.Scheme == "http" && c.opt.Loopback:
		return nil
	}
	return refused(u, "no es https")
}

func refused(u *url.URL, why string) error {
	return &digesto.Error{Code: digesto.CodeForbidden, Message: fmt.Sprintf("No se descarga de «%s»: %s", u.Redacted(), why),
		Hint: "Los servidores permitidos son los de las fuentes de los paquetes y los de «fetch.allow» en la configuración."}
}

// httpClient follows few redirections, each to an allowed host.
func (c *Client) httpClient() *http.Client {
	return &http.Client{
		Timeout: c.opt.Timeout,
		Transport: &http.Transport{DialContext: dialer(c.opt.Loopback).DialContext, Proxy: c.opt.Proxy, TLSHandshakeTimeout: 15 * time.Second,
			ResponseHeaderTimeout: 60 * time.Second, MaxIdleConnsPerHost: 2, MaxResponseHeaderBytes: 64 << 10},
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if len(via) > 5 {
				return &digesto.Error{Code: digesto.CodeUnavailable, Message: "Demasiadas redirecciones desde " + via[0].URL.Redacted(), Hint: "Compruebe la dirección en un navegador."}
			}
			return c.allowed(r.URL)
		},
	}
}
