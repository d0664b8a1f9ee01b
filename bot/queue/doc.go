// Package queue runs the service's jobs from the same database that holds its
// rows, so that a row and its job are saved together or not at all. It is the
// one place that retries: a handler only says, by the code of its error, whether
// trying again can help, and when.
//
// It imports bot and the job library. It never knows what a job does; jobs may
// run twice after a crash, so what they do must bear that.
package queue
