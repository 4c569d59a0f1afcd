import { gatehouse, userOf } from '@gatehouse-auth/sdk/hono'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const app = new Hono()

app.use(gatehouse({ home: '/notes', protect: ['/notes'] }))

app.get('/', (c) => c.html('<a href="/notes">Notes</a>'))
app.get('/notes', (c) => c.text(`Notes of ${userOf(c)?.email}`))

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) }, ({ port }) =>
  console.log(`http://localhost:${port}`),
)
