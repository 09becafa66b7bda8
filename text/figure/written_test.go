package figure

import "testing"

func TestWritten(t *testing.T) {
	for in, want := range map[string]string{
		"31/12/2025": "2025-12-31", "1/2/2025": "2025-02-01", " 1-2-2025 ": "2025-02-01", "1.2.2025": "2025-02-01",
		"2025-12-31": "2025-12-31", "1/2-2025": "1/2-2025", "ayer": "ayer", "": "", "99/99/2025": "2025-99-99",
	} {
		if got := WrittenDay(in); got != want {
			t.Errorf("WrittenDay(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"1.800,50": "1800,50", "1.000.000": "1000000", "1.000.000,50": "1000000,50", " 12.345,6 ": "12345,6",
		"1.800": "1.800", "1800,50": "1800,50", "1800.50": "1800.50", "1.80,5": "1.80,5", "": "", "x": "x",
	} {
		if got := WrittenAmount(in); got != want {
			t.Errorf("WrittenAmount(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"1234567.50": "1.234.567,50", "12": "12", "-1234": "-1.234", "2025-01-01": "2025-01-01", "": "", "x": "x", "999": "999"} {
		if got := Spanish(in); got != want {
			t.Errorf("Spanish(%q) = %q, want %q", in, got, want)
		}
	}
}
