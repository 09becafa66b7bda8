package jus_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"digesto/pack"
	"digesto/packs/jus"
)

// BenchmarkCalculator reports the p99 of calls of each function, mixed.
func BenchmarkCalculator(b *testing.B) {
	c := calc(b)
	it, err := jus.ParseItem("divorcio_bilateral")
	if err != nil {
		b.Fatal(err)
	}
	y, err := jus.Year("2023")
	if err != nil {
		b.Fatal(err)
	}
	calls := []func(){
		func() { c.Value(y, today) },
		func() { _, _ = c.Convert(jus.Conversion{Pesos: "1000000", When: y}, today) },
		func() { _, _ = c.Quote([]jus.Item{it}, nil, today, today) },
		func() { _, _ = c.Compare("divorcio_bilateral", nil, "2020-01-01", today, today) },
	}
	percentile(b, func(i int) { calls[i%len(calls)]() })
}

// BenchmarkQuestion reports the p99 of a whole question: classes, reading, calculation, text.
func BenchmarkQuestion(b *testing.B) {
	p, tool := jusPack(b)
	list := evalCases(b)
	percentile(b, func(i int) {
		q := pack.ToolQuestion{Text: list[i%len(list)].Question, Today: today}
		p.Classify(q)
		if call, ok := tool.Detect(q); ok {
			_, _ = tool.Calculate(context.Background(), call)
		}
	})
}

func percentile(b *testing.B, do func(i int)) {
	b.ReportAllocs()
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		do(i)
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}
