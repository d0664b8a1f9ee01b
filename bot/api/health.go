package api

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"
)

// RegisterHealth adds /healthz, which says that the process is up, and /readyz,
// which says whether it can do its work: ready returns nil, or why not.
func RegisterHealth(r gin.IRouter, ready func(context.Context) error) {
	r.GET("/healthz", func(c *gin.Context) { c.JSON(http.StatusOK, gin.H{"status": "ok"}) })
	r.GET("/readyz", func(c *gin.Context) {
		if err := ready(c.Request.Context()); err != nil {
			c.JSON(http.StatusServiceUnavailable, gin.H{"status": "not ready", "reason": err.Error()})
			return
		}
		c.JSON(http.StatusOK, gin.H{"status": "ready"})
	})
}
