package gold

import (
	"fmt"
	"strings"
	"time"
)

// layouts are the times that exports write and that can be read in one way only:
// the year first, the month by its name, or the day first and parted by dots. What
// is parted by slashes, such as 03/04/2024, is another day in another country, and
// of the names of zones only those of UTC mean the same everywhere.
func layouts() []string {
	list := []string{time.RFC3339, "2006-01-02T15:04:05.999-0700", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 UTC", "Mon, 2 Jan 2006 15:04:05 GMT", time.RFC1123Z}
	for _, day := range []string{
		"2006-01-02", "2006/01/02", "2/Jan/06", "2/Jan/2006", "2-Jan-06", "2-Jan-2006", "2 Jan 2006", "2 January 2006",
		"Jan 2, 2006", "January 2, 2006", "Mon, 2 Jan 2006", "2.1.2006",
	} {
		list = append(list, day)
		for _, clock := range []string{"15:04:05", "15:04", "3:04:05 PM", "3:04 PM", "3:04PM"} {
			list = append(list, day+" "+clock)
		}
	}
	return append(list, "2006-01-02T15:04:05", "2006-01-02T15:04", "Jan 2, 2006, 3:04 PM", "Jan 2, 2006, 15:04")
}

// moment reads a time as exports write it and returns it as RFC 3339, UTC where it
// names no zone; "" stays "".
func moment(s string) (string, error) {
	if s = strings.TrimSpace(s); s == "" {
		return "", nil
	}
	spelt := strings.NewReplacer(" am", " AM", " pm", " PM").Replace(s)
	for _, layout := range layouts() {
		if at, err := time.Parse(layout, spelt); err == nil {
			if y := at.Year(); y < 1 || y > 9999 {
				break
			}
			return at.Format(time.RFC3339), nil
		}
	}
	return "", fmt.Errorf("want a time such as 2024-05-01, 2024-05-01 09:00, 2024-05-01T09:00:00Z, 01/May/24 9:00 AM, 1 May 2024 or 01.05.2024, got %q; "+
		"--column created=COLUMN names another column, --column created=%s leaves it out", s, Ignore)
}
