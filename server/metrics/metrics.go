// Package metrics counts what the server does, in the form that Prometheus
// reads. No label carries what a person wrote or who they are: routes are the
// patterns of the table, packs those loaded, outcomes and stages closed sets.
package metrics

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"digesto"
	"digesto/corpus/follow"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Options of the metrics.
type Options struct {
	Version string
	// Corpus is asked at each reading: norms installed and how old their snapshot
	// is; nil = not measured.
	Corpus func() (norms int, age time.Duration, ok bool)
	// Snapshot names the installed law that answers now; nil = not told.
	Snapshot func() string
	// Follow tells how the node stands with the law that is published; nil = it follows nobody.
	Follow func() follow.Status
}

// Metrics are the instruments of one server. They are safe for any number of
// goroutines.
type Metrics struct {
	reg      *prometheus.Registry
	requests *prometheus.CounterVec
	took     *prometheus.HistogramVec
	answers  *prometheus.CounterVec
	answered prometheus.Histogram
	failed   *prometheus.CounterVec
	stages   *prometheus.HistogramVec
	calls    *prometheus.CounterVec
	tokens   *prometheus.CounterVec
	cost     *prometheus.CounterVec

	mu    sync.Mutex
	spent map[string]Spend
}

// Spend is what the calls of one role of the models have cost since the server began.
type Spend struct {
	Role                   string
	Calls, Cached, In, Out int64   // calls, answers kept before, tokens
	Cost                   float64 // in the currency of the configured prices
}

// Spent gives what was spent by each role that was called, in the order of their names.
func (m *Metrics) Spent() []Spend {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []Spend
	for _, role := range slices.Sorted(maps.Keys(m.spent)) {
		out = append(out, m.spent[role])
	}
	return out
}

// buckets are seconds: an answer without models takes milliseconds, one with
// them up to two minutes.
var buckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120}

// New makes the instruments. Their names are listed in docs/operation.md.
func New(o Options) *Metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	histogram := func(name, help string, labels ...string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels)
	}
	m := &Metrics{
		spent:    map[string]Spend{},
		reg:      prometheus.NewRegistry(),
		requests: counter("digesto_http_requests_total", "Requests by pattern of the route and status.", "route", "status"),
		took:     histogram("digesto_http_request_duration_seconds", "Duration of requests by pattern of the route.", "route"),
		answers:  counter("digesto_answers_total", "Answers by outcome, pack and mode.", "outcome", "pack", "mode"),
		answered: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "digesto_answer_duration_seconds", Help: "From question to answer.", Buckets: buckets}),
		failed:   counter("digesto_questions_failed_total", "Questions that got no answer, by code of the error.", "code"),
		stages:   histogram("digesto_stage_duration_seconds", "Duration of the stages of an answer.", "stage"),
		calls:    counter("digesto_model_calls_total", "Calls of models by role; cached ones never left.", "role", "cached"),
		tokens:   counter("digesto_model_tokens_total", "Tokens of models by role and direction.", "role", "direction"),
		cost:     counter("digesto_model_cost_total", "Cost of models by role, in the currency of the configured prices.", "role"),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{Name: "digesto_build_info", Help: "1, with the version of the program.", ConstLabels: prometheus.Labels{"version": o.Version}})
	build.Set(1)
	m.reg.MustRegister(m.requests, m.took, m.answers, m.answered, m.failed, m.stages, m.calls, m.tokens, m.cost, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	if o.Corpus != nil {
		m.reg.MustRegister(corpus{o.Corpus, o.Snapshot})
	}
	if o.Follow != nil {
		m.reg.MustRegister(following{o.Follow})
	}
	return m
}

// Handler serves the instruments.
func (m *Metrics) Handler() http.Handler { return promhttp.HandlerFor(m.reg, promhttp.HandlerOpts{}) }

// Request counts a request. A route "" is one that the table does not have.
func (m *Metrics) Request(route string, status int, took time.Duration) {
	if route == "" || route == "/" {
		route = "none"
	}
	m.requests.WithLabelValues(route, strconv.Itoa(status)).Inc()
	m.took.WithLabelValues(route).Observe(took.Seconds())
}

// Question follows one question: pass it the events, then how it ended.
func (m *Metrics) Question() *Question { return &Question{m: m, began: time.Now()} }

// Question is one question being answered.
type Question struct {
	m     *Metrics
	began time.Time

	mu    sync.Mutex
	stage string
	since time.Time
}

// Event ends the stage before and begins the one it names.
func (q *Question) Event(e digesto.Event) {
	if e.Kind == "stage" {
		q.next(e.Stage)
	}
}

func (q *Question) next(stage string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	if q.stage != "" {
		q.m.stages.WithLabelValues(q.stage).Observe(now.Sub(q.since).Seconds())
	}
	q.stage, q.since = stage, now
}

// End counts the answer, or the error that came instead.
func (q *Question) End(a digesto.Answer, err error) {
	q.next("")
	if err != nil {
		q.m.failed.WithLabelValues(string(digesto.CodeOf(err))).Inc()
		return
	}
	q.m.answered.Observe(time.Since(q.began).Seconds())
	if a.Meta == nil {
		return
	}
	q.m.answers.WithLabelValues(string(a.Meta.Outcome), a.Meta.Pack, a.Meta.Mode).Inc()
	for role, u := range a.Meta.Models {
		if u.Calls+u.Cached == 0 {
			continue
		}
		q.m.calls.WithLabelValues(role, "no").Add(float64(u.Calls))
		q.m.calls.WithLabelValues(role, "yes").Add(float64(u.Cached))
		q.m.tokens.WithLabelValues(role, "in").Add(float64(u.In))
		q.m.tokens.WithLabelValues(role, "out").Add(float64(u.Out))
		q.m.cost.WithLabelValues(role).Add(u.Cost)
		q.m.mu.Lock()
		s := q.m.spent[role]
		q.m.spent[role] = Spend{role, s.Calls + int64(u.Calls), s.Cached + int64(u.Cached), s.In + int64(u.In), s.Out + int64(u.Out), s.Cost + u.Cost}
		q.m.mu.Unlock()
	}
}

// corpus reads the state of the installed law when it is asked for.
type corpus struct {
	read     func() (int, time.Duration, bool)
	snapshot func() string
}

var (
	normsDesc = prometheus.NewDesc("digesto_corpus_norms", "Norms installed.", nil, nil)
	infoDesc  = prometheus.NewDesc("digesto_corpus_info", "1, with the name of the installed snapshot that answers.", []string{"snapshot"}, nil)
	ageDesc   = prometheus.NewDesc("digesto_corpus_age_seconds", "Time since the installed law last changed.", nil, nil)
)

func (corpus) Describe(ch chan<- *prometheus.Desc) {
	ch <- normsDesc
	ch <- ageDesc
	ch <- infoDesc
}

func (c corpus) Collect(ch chan<- prometheus.Metric) {
	norms, age, ok := c.read()
	if !ok {
		return
	}
	if c.snapshot != nil {
		ch <- prometheus.MustNewConstMetric(infoDesc, prometheus.GaugeValue, 1, c.snapshot())
	}
	ch <- prometheus.MustNewConstMetric(normsDesc, prometheus.GaugeValue, float64(norms))
	if norms > 0 {
		ch <- prometheus.MustNewConstMetric(ageDesc, prometheus.GaugeValue, age.Seconds())
	}
}

// following reads how the node stands with the law that is published.
type following struct{ read func() follow.Status }

var (
	publishedDesc = prometheus.NewDesc("digesto_follow_published_info", "1, with the name of the snapshot that is published.", []string{"snapshot"}, nil)
	faultDesc     = prometheus.NewDesc("digesto_follow_fault", "1 while what is published cannot be read or served.", nil, nil)
	lookedDesc    = prometheus.NewDesc("digesto_follow_looked_timestamp_seconds", "When what is published was last read and found good.", nil, nil)
	switchesDesc  = prometheus.NewDesc("digesto_follow_switches_total", "Snapshots taken.", nil, nil)
	failuresDesc  = prometheus.NewDesc("digesto_follow_failures_total", "Looks that failed, by code of the error.", []string{"code"}, nil)
)

func (following) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{publishedDesc, faultDesc, lookedDesc, switchesDesc, failuresDesc} {
		ch <- d
	}
}

func (f following) Collect(ch chan<- prometheus.Metric) {
	s := f.read()
	fault := 0.
	if s.Fault != "" {
		fault = 1
	}
	ch <- prometheus.MustNewConstMetric(faultDesc, prometheus.GaugeValue, fault)
	ch <- prometheus.MustNewConstMetric(switchesDesc, prometheus.CounterValue, float64(s.Switches))
	if s.Published != "" {
		ch <- prometheus.MustNewConstMetric(publishedDesc, prometheus.GaugeValue, 1, s.Published)
	}
	if s.Looked != nil {
		ch <- prometheus.MustNewConstMetric(lookedDesc, prometheus.GaugeValue, float64(s.Looked.Unix()))
	}
	for code, n := range s.Failures {
		ch <- prometheus.MustNewConstMetric(failuresDesc, prometheus.CounterValue, float64(n), code)
	}
}
