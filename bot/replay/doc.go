// Package replay shows what the bot would have answered: it takes the last
// tickets of a tracker, decides each as the bot would, keeps the decisions, and
// sums them up. Its listing of past tickets also serves others that want their texts.
//
// It imports bot, bot/store, routing and its rooms, and an HTML template. It never
// speaks: it knows no speaker, writes no reply and queues no job. It never says
// how often the answers are right, as nobody told it, unless gold is handed in.
package replay
