import { createServer } from 'node:http'

// The upper bound: the time Node itself takes to read a request body and to return a fixed JSON response.

const RESPONSE = JSON.stringify({
  valid: true,
  user: {
    id: 1,
    email: 'user@example.com',
    name: 'Some User',
    picture: 'https://example.com/user.png',
  },
})
const HEADERS = [
  'Content-Type',
  'application/json',
  'Content-Length',
  String(Buffer.byteLength(RESPONSE)),
]

createServer((req, res) => {
  req.on('data', () => {})
  req.on('end', () => res.writeHead(200, HEADERS).end(RESPONSE))
}).listen(Number(process.env.PORT), '127.0.0.1')
