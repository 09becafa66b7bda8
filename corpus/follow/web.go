package follow

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"digesto"
)

// web is a folder of a web server, which others write.
type web struct {
	base   *url.URL
	client *http.Client
}

func newWeb(u *url.URL, by Access) web {
	return web{u, &http.Client{Transport: by.Transport}}
}

func (w web) String() string { return w.base.Redacted() }

func (w web) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, w.base.JoinPath(name).String(), nil)
	if err != nil {
		return nil, unreachable(err)
	}
	req.Header.Set("Cache-Control", "no-cache") // a proxy asks whether what it keeps still holds
	res, err := w.client.Do(req)
	if err != nil {
		return nil, unreachable(err)
	}
	switch res.StatusCode {
	case http.StatusOK:
		return res.Body, nil
	case http.StatusNotFound, http.StatusGone:
		err = absent(name, nil)
	default:
		err = unreachable(fmt.Errorf("HTTP %s", res.Status))
	}
	_ = res.Body.Close()
	return nil, err
}

func (w web) Put(context.Context, string, io.Reader, int64) error { return w.readOnly() }

func (web) readOnly() error {
	return &digesto.Error{Code: digesto.CodeUsage, Message: "En un servidor web no se publica desde aquí", Hint: "Publique en la carpeta que ese servidor enseña, o en s3://CUBO/PREFIJO."}
}
