// Package mcp puts the engine before other programs by the Model Context
// Protocol (modelcontextprotocol.io), over standard streams or streamable HTTP.
// Its tools only read, and give the values that the command line and the HTTP
// API give. A refusal is a result; an error is a tool error in Spanish that
// says what to do next.
package mcp
