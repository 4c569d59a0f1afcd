// The app that runtimes.test.ts runs on each runtime: a web-standard handler, which all of them take as it is.
import { askAgain, createClient, handleCallback, handleLogout, startLogin } from '@gatehouse/sdk'
import { baseUrl, clientPerRequest, tenantId } from './settings.js'

const clientWith = (options) => createClient({ baseUrl, tenantId, ...options })
const shared = clientPerRequest ? null : clientWith()

/** Sessions for the same visitor at the same moment. */
async function many(client, request) {
  const sessions = await Promise.all(Array.from({ length: 50 }, () => client.session(request)))
  const cookies = new Set(sessions.map(({ setCookies }) => setCookies.join('\n')))
  const answer = Response.json({ statuses: [...new Set(sessions.map(({ status }) => status))], pairs: cookies.size })
  for (const line of sessions[0].setCookies) answer.headers.append('Set-Cookie', line)
  return answer
}

/** A refresh whose first answer the network eats, and what its pair is good for. */
async function lost(client, request) {
  const answers = []
  const losing = clientWith({
    async fetch(url, init) {
      const answer = await fetch(url, init)
      if (!url.endsWith('/refresh')) return answer
      answers.push(await answer.text())
      if (answers.length === 1) throw new TypeError('the connection was reset')
      return new Response(answers.at(-1), answer)
    },
  })
  const pair = await losing.refresh(client.cookies.read(request).refreshToken)
  const verified = await losing.verify(pair.accessToken)
  const body = { asked: answers.length, same: new Set(answers).size === 1, email: verified.user?.email }
  const answer = Response.json(body)
  for (const line of client.cookies.store(request, pair)) answer.headers.append('Set-Cookie', line)
  return answer
}

async function notes(client, request) {
  const session = await client.session(request)
  if (session.status === 'superseded') return askAgain(request)
  if (session.user === null) return startLogin(request, { client, returnHere: true })
  const answer = new Response(`Notes of ${session.user.email}`)
  for (const line of session.setCookies) answer.headers.append('Set-Cookie', line)
  return answer
}

const ROUTES = {
  '/callback': (client, request) => handleCallback(request, { client }),
  '/logout': (client, request) => handleLogout(request, { client }),
  '/notes': notes,
  '/many': many,
  '/lost': lost,
}

// biome-ignore lint/style/noDefaultExport: it is what the runtimes look for
export default {
  async fetch(request) {
    const route = ROUTES[new URL(request.url).pathname]
    return route === undefined ? new Response(null, { status: 404 }) : route(shared ?? clientWith(), request)
  },
}
