package follow

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"

	"digesto"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// bucket is a place of an S3-compatible service; each request is signed (AWS Signature
// Version 4) with the keys of the environment, of the user's AWS file or of the machine,
// and goes unsigned where there are none.
type bucket struct {
	core         *minio.Core
	name, prefix string
}

// newBucket reads s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION; without an
// endpoint it is that of AWS.
func newBucket(u *url.URL, by Access) (Place, error) {
	q := u.Query()
	end := &url.URL{Scheme: "https", Host: "s3.amazonaws.com"}
	if at := q.Get("endpoint"); at != "" {
		var err error
		if end, err = url.Parse(at); err != nil || end.Host == "" || end.Scheme != "http" && end.Scheme != "https" || strings.Trim(end.Path, "/") != "" {
			return nil, &digesto.Error{Code: digesto.CodeUsage, Message: "«endpoint» no es la dirección de un servicio", Hint: "Escríbala como https://SERVIDOR o http://SERVIDOR:PUERTO."}
		}
	}
	c, err := minio.NewCore(end.Host, &minio.Options{Creds: keysOf(by), Secure: end.Scheme == "https", Transport: by.Transport, Region: q.Get("region"), MaxRetries: 3})
	if err != nil {
		return nil, &digesto.Error{Code: digesto.CodeUsage, Message: "La dirección del cubo no vale", Err: err, Hint: "Escríbala como s3://CUBO/PREFIJO?endpoint=https://SERVIDOR."}
	}
	return &bucket{c, u.Host, strings.Trim(u.Path, "/")}, nil
}

// keysOf looks for keys where the tools of AWS do.
func keysOf(by Access) *credentials.Credentials {
	env := func(name string) string {
		if by.Env == nil {
			return ""
		}
		v, _ := by.Env(name)
		return v
	}
	if id, secret := env("AWS_ACCESS_KEY_ID"), env("AWS_SECRET_ACCESS_KEY"); id != "" && secret != "" {
		return credentials.NewStaticV4(id, secret, env("AWS_SESSION_TOKEN"))
	}
	client := &http.Client{Transport: by.Transport}
	return credentials.NewChainCredentials([]credentials.Provider{
		&credentials.FileAWSCredentials{Filename: env("AWS_SHARED_CREDENTIALS_FILE"), Profile: env("AWS_PROFILE")}, &credentials.IAM{Client: client},
	})
}

func (b *bucket) String() string { return "s3://" + path.Join(b.name, b.prefix) }

func (b *bucket) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	r, _, _, err := b.core.GetObject(ctx, b.name, path.Join(b.prefix, name), minio.GetObjectOptions{})
	if err == nil {
		return r, nil
	}
	if code := minio.ToErrorResponse(err).StatusCode; code == http.StatusNotFound {
		return nil, absent(name, err)
	}
	return nil, unreachable(err)
}

func (b *bucket) Put(ctx context.Context, name string, r io.Reader, size int64) error {
	if _, err := b.core.Client.PutObject(ctx, b.name, path.Join(b.prefix, name), r, size, minio.PutObjectOptions{}); err != nil {
		return unwritable(b, err)
	}
	return nil
}
