package openai

import (
	"errors"
	"fmt"

	"digesto/model"
	"digesto/model/wire"

	api "github.com/sashabaranov/go-openai"
)

// fail makes the error of a call out of whatever went wrong in it: what the
// protocol itself says first, then what the way says.
func (x *exchange) fail(err error) error {
	var apiErr *api.APIError
	switch {
	case x.ctx.Err() != nil || model.FaultOf(err) != nil:
	case errors.As(err, &apiErr): // an error object inside a stream
		f := &model.Fault{Kind: model.KindServer, Detail: x.wire.Clean(apiErr.Message)}
		if wire.KindOfStatus(400, fmt.Sprint(apiErr.Code), f.Detail) == model.KindTooLong {
			f.Kind = model.KindTooLong
		}
		return model.NewError(f)
	case errors.Is(err, api.ErrTooManyEmptyStreamMessages):
		return model.NewError(&model.Fault{Kind: model.KindGarbled, Detail: "too many empty messages"})
	}
	return x.wire.Fail(x.ctx, err)
}
