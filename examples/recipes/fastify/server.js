import { gatehouse, userOf } from '@gatehouse-auth/sdk/fastify'
import Fastify from 'fastify'

const app = Fastify()

app.register(gatehouse({ home: '/notes', protect: ['/notes'] }))

app.get('/', (_request, reply) => reply.type('text/html').send('<a href="/notes">Notes</a>'))
app.get('/notes', async (request) => `Notes of ${userOf(request)?.email}`)

const port = Number(process.env.PORT ?? 3000)
await app.listen({ port })
// Not the address that Fastify returns: [::1] is another site than the localhost of your callback.
console.log(`http://localhost:${port}`)
