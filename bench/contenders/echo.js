import { createServer } from 'node:http'

// The limit: what Node itself needs to read a request with its body and to answer with a fixed JSON.

const ANSWER = JSON.stringify({
  valid: true,
  user: { id: 1, email: 'somebody@example.com', name: 'Some Body', picture: 'https://example.com/somebody.png' },
})
const HEADERS = ['Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(ANSWER))]

createServer((req, res) => {
  req.on('data', () => {})
  req.on('end', () => res.writeHead(200, HEADERS).end(ANSWER))
}).listen(Number(process.env.PORT), '127.0.0.1')
