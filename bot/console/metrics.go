package console

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics counts what the service does. Its methods are safe for concurrent use.
// Labels come from closed sets, never from tickets.
type Metrics struct {
	registry   *prometheus.Registry
	deliveries *prometheus.CounterVec
	jobs       *prometheus.CounterVec
	routes     *prometheus.HistogramVec
	comments   *prometheus.CounterVec
	repos      *prometheus.GaugeVec
	broken     prometheus.Gauge
	read       prometheus.Gauge
}

// NewMetrics makes counters of their own: two services in one process do not mix.
func NewMetrics() *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		deliveries: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "pointsman_deliveries_total", Help: "Webhook requests, by how they were answered.",
		}, []string{"source", "result"}),
		jobs: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "pointsman_job_attempts_total", Help: "Attempts at jobs, by how they ended.",
		}, []string{"kind", "result", "code"}),
		routes: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "pointsman_route_seconds", Help: "Time to decide where a ticket belongs, the refresh of the index included.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 60},
		}, []string{"verdict"}),
		comments: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "pointsman_comments_total", Help: "Comments, by what was done with them.",
		}, []string{"system", "action"}),
		repos: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "pointsman_repositories", Help: "Repositories of the registry, by whether the code index covers them.",
		}, []string{"covered"}),
		broken: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "pointsman_registry_broken", Help: "1 while the registry's newest state cannot be read or used, and the last good one answers.",
		}),
		read: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "pointsman_registry_read_timestamp_seconds", Help: "When the registry's repository was last asked; 0 = never, or the registry is a file.",
		}),
	}
	m.registry.MustRegister(m.deliveries, m.jobs, m.routes, m.comments, m.repos, m.broken, m.read,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Delivery counts a webhook request.
func (m *Metrics) Delivery(source, result string) { m.deliveries.WithLabelValues(source, result).Inc() }

// Job counts an attempt at a job.
func (m *Metrics) Job(kind, result, code string) { m.jobs.WithLabelValues(kind, result, code).Inc() }

// Routed counts a decision and the time it took.
func (m *Metrics) Routed(verdict string, took time.Duration) {
	m.routes.WithLabelValues(verdict).Observe(took.Seconds())
}

// Said counts what was done with a comment.
func (m *Metrics) Said(system, action string) { m.comments.WithLabelValues(system, action).Inc() }

// Covered notes how many repositories the index covers, and how many it does not.
func (m *Metrics) Covered(covered, missing int) {
	m.repos.WithLabelValues("yes").Set(float64(covered))
	m.repos.WithLabelValues("no").Set(float64(missing))
}

// RegistryBroken notes whether the registry's newest state cannot be used.
func (m *Metrics) RegistryBroken(is bool) {
	m.broken.Set(0)
	if is {
		m.broken.Set(1)
	}
}

// RegistryRead notes when the registry's repository was asked.
func (m *Metrics) RegistryRead(at time.Time) { m.read.Set(float64(at.UnixMilli()) / 1000) }

// Handler serves the counters to a scraper.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
