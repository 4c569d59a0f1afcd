// The app that runtimes.test.ts runs on each runtime: a web-standard fetch handler.
import {
  createClient,
  handleCallback,
  handleLogout,
  redirectToRetry,
  startLogin,
} from '@gatehouse-auth/sdk'
import { baseUrl, clientPerRequest, tenantId } from './settings.js'

const clientWith = (options) => createClient({ baseUrl, tenantId, ...options })
const shared = clientPerRequest ? null : clientWith()

async function refreshingSession(client, request) {
  const setCookies = []
  const session = await client.session(request, {
    refresh: true,
    setCookie: (line) => setCookies.push(line),
  })
  return { ...session, setCookies }
}

/** 50 concurrent sessions of one request. */
async function concurrent(client, request) {
  const sessions = await Promise.all(
    Array.from({ length: 50 }, () => refreshingSession(client, request)),
  )
  const cookies = new Set(sessions.map(({ setCookies }) => setCookies.join('\n')))
  const response = Response.json({
    statuses: [...new Set(sessions.map(({ status }) => status))],
    pairs: cookies.size,
  })
  for (const line of sessions[0].setCookies) {
    response.headers.append('Set-Cookie', line)
  }
  return response
}

/** A refresh whose first response is lost, with a key that is derived by the runtime's WebCrypto. */
async function lostResponse(client, request) {
  const responses = []
  const losing = clientWith({
    secret: 'an-app-secret-of-enough-characters',
    async fetch(url, init) {
      const response = await fetch(url, init)
      if (!url.endsWith('/refresh')) {
        return response
      }
      responses.push(await response.text())
      if (responses.length === 1) {
        throw new TypeError('the connection was reset')
      }
      return new Response(responses.at(-1), response)
    },
  })
  const pair = await losing.refresh(client.cookies.read(request).refreshToken, {
    bind: 'browser-1',
  })
  const verified = await losing.verify(pair.accessToken)
  const body = {
    attempts: responses.length,
    same: new Set(responses).size === 1,
    email: verified.user?.email,
  }
  const response = Response.json(body)
  for (const line of client.cookies.store(request, pair)) {
    response.headers.append('Set-Cookie', line)
  }
  return response
}

async function notes(client, request) {
  const session = await refreshingSession(client, request)
  if (session.status === 'superseded') {
    return redirectToRetry(request)
  }
  if (session.user === null) {
    return startLogin(request, { client, returnHere: true })
  }
  const response = new Response(`Notes of ${session.user.email}`, {
    headers: { 'Cache-Control': 'no-store' },
  })
  for (const line of session.setCookies) {
    response.headers.append('Set-Cookie', line)
  }
  return response
}

const ROUTES = {
  '/callback': (client, request) => handleCallback(request, { client }),
  '/logout': (client, request) => handleLogout(request, { client }),
  '/notes': notes,
  '/concurrent': concurrent,
  '/lost-response': lostResponse,
}

// biome-ignore lint/style/noDefaultExport: the runtimes require it
export default {
  async fetch(request) {
    const route = ROUTES[new URL(request.url).pathname]
    return route === undefined
      ? new Response(null, { status: 404 })
      : route(shared ?? clientWith(), request)
  },
}
