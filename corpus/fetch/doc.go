// Package fetch brings official texts from the services that publish them: the
// only code that goes out for law.
//
// A [Client] gets documents politely and safely: from a list of hosts only, over
// TLS, never from a private address (also after redirections and whatever the
// name resolves to), at most five requests a second, asking only for what
// changed, taking up what a cut interrupted, within bounds of size. What it got
// it keeps in a folder, with where it came from and when. [OpenData] speaks the
// protocol of the open-data service of an official journal over a client.
package fetch
