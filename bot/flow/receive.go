package flow

import (
	"context"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/queue"
	"github.com/pointsman/pointsman/bot/store"
)

// Receive saves a delivery and the job to open it, in one transaction. fresh is
// false when the same delivery was saved before; then nothing changes, unless it
// had failed: a person who sends it again wants it tried again.
func (f *Flow) Receive(ctx context.Context, d bot.Delivery) (fresh bool, err error) {
	err = f.Store.Do(ctx, func(tx *store.Tx) error {
		var row int64
		row, fresh, err = tx.AddDelivery(ctx, d)
		if err != nil || !fresh {
			return err
		}
		return f.Jobs.Insert(ctx, tx.SQL(), queue.Open{Delivery: row})
	})
	return fresh && err == nil, err
}
