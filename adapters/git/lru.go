package git

import (
	"container/list"

	"github.com/go-git/go-git/v5/plumbing"
)

// lru keeps the objects of one pack that others are likely to be built from, up
// to a number of bytes.
type lru struct {
	max, size int
	order     *list.List // of *cached, the latest used in front
	at        map[int64]*list.Element
}

type cached struct {
	offset int64
	kind   plumbing.ObjectType
	data   []byte
}

func newLRU(maxBytes int) *lru {
	return &lru{max: maxBytes, order: list.New(), at: map[int64]*list.Element{}}
}

func (l *lru) get(offset int64) (plumbing.ObjectType, []byte, bool) {
	e, ok := l.at[offset]
	if !ok {
		return plumbing.InvalidObject, nil, false
	}
	l.order.MoveToFront(e)
	c := e.Value.(*cached)
	return c.kind, c.data, true
}

func (l *lru) put(offset int64, kind plumbing.ObjectType, data []byte) {
	if _, ok := l.at[offset]; ok || len(data) > l.max/4 {
		return
	}
	l.at[offset] = l.order.PushFront(&cached{offset, kind, data})
	l.size += len(data)
	for l.size > l.max {
		e := l.order.Back()
		c := l.order.Remove(e).(*cached)
		delete(l.at, c.offset)
		l.size -= len(c.data)
	}
}
