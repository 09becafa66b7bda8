// Package follow lets many machines take their law from one place: a folder, a web
// server or a bucket of an S3-compatible service. Who publishes puts there a signed
// export and then a signed pointer that names it; a node looks at the pointer every so
// often, proves what it names and makes it current, without a question that waits.
package follow
