import { handleCallback, handleLogout, redirectToRetry, startLogin } from '@gatehouse/sdk'
import { nodeHandler, nodeSession, sendResponse, toRequest } from '@gatehouse/sdk/node'
import express from 'express'
import { client } from './gatehouse.js'

const app = express()

app.get(
  '/login',
  nodeHandler((request) => startLogin(request, { client })),
)
app.get(
  '/auth/callback',
  nodeHandler((request) => handleCallback(request, { client, home: '/notes' })),
)
app.post(
  '/logout',
  nodeHandler((request) => handleLogout(request, { client })),
)

app.get('/', (_req, res) => void res.send('<a href="/notes">Notes</a>'))

app.use('/notes', async (req, res, next) => {
  const session = await nodeSession(client, req, res)
  if (session.status === 'superseded') return sendResponse(await redirectToRetry(toRequest(req)), res)
  if (session.user === null) return sendResponse(startLogin(toRequest(req), { client, returnHere: true }), res)
  res.locals.user = session.user
  next()
})

app.get('/notes', (_req, res) => void res.type('text').send(`Notes of ${res.locals.user.email}`))

const port = process.env.PORT ?? 3000
app.listen(port, () => console.log(`http://localhost:${port}`))
