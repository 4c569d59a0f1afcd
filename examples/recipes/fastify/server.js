import { gatehouse, userOf } from '@gatehouse/sdk/fastify'
import Fastify from 'fastify'
import { client } from './gatehouse.js'

const app = Fastify()

app.register(gatehouse({ client, home: '/notes', protect: ['/notes'] }))

app.get('/', (_request, reply) => reply.type('text/html').send('<a href="/notes">Notes</a>'))
app.get('/notes', async (request) => `Notes of ${userOf(request)?.email}`)

console.log(await app.listen({ port: Number(process.env.PORT ?? 3000) }))
