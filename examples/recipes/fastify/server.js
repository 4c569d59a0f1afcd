import { handleCallback, handleLogout, redirectToRetry, startLogin } from '@gatehouse/sdk'
import { nodeHandler, sendResponse, toRequest } from '@gatehouse/sdk/node'
import Fastify from 'fastify'
import { client } from './gatehouse.js'

const app = Fastify()

/** Fastify hands Node's request and response to the handler. */
const raw = (handler) => (request, reply) => {
  reply.hijack()
  return handler(request.raw, reply.raw)
}

app.get('/login', raw(nodeHandler((request) => startLogin(request, { client }))))
app.get('/auth/callback', raw(nodeHandler((request) => handleCallback(request, { client, home: '/notes' }))))
// Fastify rejects form posts unless a parser is registered. This form has no fields.
app.addContentTypeParser('application/x-www-form-urlencoded', (_request, _body, done) => done(null))
app.post('/logout', raw(nodeHandler((request) => handleLogout(request, { client }))))

app.get('/', (_request, reply) => reply.type('text/html').send('<a href="/notes">Notes</a>'))

app.get('/notes', async (request, reply) => {
  const webRequest = toRequest(request.raw)
  const setCookie = (line) => reply.header('Set-Cookie', line)
  const session = await client.session(webRequest, { refresh: true, setCookie })
  if (session.user !== null) return `Notes of ${session.user.email}`
  const response =
    session.status === 'superseded'
      ? await redirectToRetry(webRequest)
      : startLogin(webRequest, { client, returnHere: true })
  reply.hijack()
  await sendResponse(response, reply.raw)
})

console.log(await app.listen({ port: Number(process.env.PORT ?? 3000) }))
