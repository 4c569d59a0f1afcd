// Replaces `node:http` in a bundle. An import of a builtin module reads all its exports, and some of this one's (`WebSocket`, …)
// load Node's fetch, a tenth of a start. `getBuiltinModule` reads none.

const http = process.getBuiltinModule('node:http')

export const { Agent, createServer, IncomingMessage, request, ServerResponse, STATUS_CODES } = http
