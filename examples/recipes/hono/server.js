import { handleCallback, handleLogout, redirectToRetry, startLogin } from '@gatehouse/sdk'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { client } from './gatehouse.js'

/** @type {Hono<{ Variables: { user: import('@gatehouse/sdk').User } }>} */
const app = new Hono()

app.get('/login', (c) => startLogin(c.req.raw, { client }))
app.get('/auth/callback', (c) => handleCallback(c.req.raw, { client, home: '/notes' }))
app.post('/logout', (c) => handleLogout(c.req.raw, { client }))

app.get('/', (c) => c.html('<a href="/notes">Notes</a>'))

app.use('/notes/*', async (c, next) => {
  const setCookie = (line) => c.header('Set-Cookie', line, { append: true })
  const session = await client.session(c.req.raw, { refresh: true, setCookie })
  if (session.status === 'superseded') return redirectToRetry(c.req.raw)
  if (session.user === null) return startLogin(c.req.raw, { client, returnHere: true })
  c.set('user', session.user)
  await next()
})

app.get('/notes', (c) => c.text(`Notes of ${c.get('user').email}`))

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) }, ({ port }) =>
  console.log(`http://localhost:${port}`),
)
