import express from 'express'
import jsonwebtoken from 'jsonwebtoken'
import { PORT, profile, SESSIONS, times, writeWorkloads } from './peer-env.js'

// The usual hand-written setup: Express, its JSON parser, and jsonwebtoken with HS256.

const SECRET = 'a secret of thirty-two bytes or more'
const app = express()
app.disable('x-powered-by')
app.use(express.json())
app.post('/verify', (req, res) => {
  try {
    const { id, email, name, picture } = jsonwebtoken.verify(req.body.access_token, SECRET, {
      algorithms: ['HS256'],
    })
    res.json({ valid: true, user: { id, email, name, picture } })
  } catch {
    res.json({ valid: false })
  }
})

writeWorkloads({
  verify: times(SESSIONS, (id) => ({
    request: {
      method: 'POST',
      path: '/verify',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        access_token: jsonwebtoken.sign({ id, ...profile(id) }, SECRET, {
          algorithm: 'HS256',
          expiresIn: 3_600,
        }),
      }),
    },
    status: 200,
    contains: { valid: true, user: { id, ...profile(id) } },
  })),
})
app.listen(PORT, '127.0.0.1')
