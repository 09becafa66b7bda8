// Package show prints what commands found, for people: answers with their sources, texts of the
// law and their changes, calculations, and the figures of measurements. What programs read is
// JSON, which the commands print themselves.
package show
