import { createHash, createHmac, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** A file beside this one, or up to two folders above, wherever the app was started. */
function read(name) {
  const places = ['./', '../', '../../'].map((place) => new URL(place + name, import.meta.url))
  const found = places.find((file) => existsSync(file))
  return found ? parseEnv(readFileSync(found, 'utf8')) : {}
}

// The keys in `.service` are for you and your agent; the app doesn't use them.
const files = { ...read('.service'), ...read('.service.secret') }
const BASE_URL = process.env.GATEHOUSE_URL || files.base_url
const TENANT = process.env.GATEHOUSE_TENANT || files.tenant_id
const SECRET = process.env.GATEHOUSE_SECRET || files.GATEHOUSE_SECRET
if (!BASE_URL || !TENANT) {
  throw new Error(
    'No .service or GATEHOUSE_URL. Run npx --@gatehouse-auth:registry=<service>/packages/npm/ @gatehouse-auth/local init',
  )
}
const EDGE = `${BASE_URL.replace(/\/+$/, '')}/edge/auth/${TENANT}`

/** The service can't be asked now. That says nothing about the session: keep the cookies, and answer 503. */
export class Unavailable extends Error {}

/** Sent again if there is no response: with the same Idempotency-Key, the service repeats its response. */
async function send(action, body, key) {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key }
  for (let attempt = 0; attempt < 2; attempt++) {
    const options = { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) }
    const response = await fetch(`${EDGE}/${action}`, options).catch(() => null)
    const result = await response?.json().catch(() => null)
    if (result && [200, 400, 401].includes(response.status)) {
      return result
    }
  }
  throw new Unavailable('Sign-in isn’t available right now. Try again in a moment.')
}

/**
 * Equal calls at the same time are one. What the service confirmed is remembered for ten seconds: then a sign-out at another
 * server takes effect. A refusal is forgotten at once, so that made-up cookies fill no memory.
 */
const calls = new Map()
function call(action, fields, key = sha256(JSON.stringify(fields))) {
  if (!calls.has(key)) {
    const sent = send(action, JSON.stringify(fields), key)
    const forget = () => calls.delete(key)
    calls.set(key, sent)
    sent.then(({ user, access_token }) => {
      if (user || access_token) {
        setTimeout(forget, 10_000).unref()
      } else {
        forget()
      }
    }, forget)
  }
  return calls.get(key)
}

const random = (bytes) => randomBytes(bytes).toString('base64url')
const sha256 = (text) => createHash('sha256').update(text).digest('base64url')

/** Where the user is: https, except on this machine. Set APP_URL behind a proxy that replaces the Host header. */
export function originOf({ headers: { host = '' } }) {
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host)
  return process.env.APP_URL?.replace(/\/+$/, '') || `${isLocal ? 'http' : 'https'}://${host}`
}

/** No subdomain can set a __Host- cookie. Ports share cookies, so the names of local apps have the port. */
const prefixOf = (req) =>
  originOf(req).startsWith('https:')
    ? '__Host-gh_'
    : `gh_${/:(\d+)$|$/.exec(originOf(req))[1] ?? 80}_`

const cookiesOf = ({ headers: { cookie = '' } }) =>
  Object.fromEntries(cookie.split('; ').map((each) => each.split(/=(.*)/s, 2)))

export const readCookie = (req, name) => cookiesOf(req)[prefixOf(req) + name] ?? ''

/** Lax, not Strict: the browser returns from another site. Safari drops Secure cookies on http://localhost. */
function keep(req, res, name, value, seconds = 2592000) {
  const flags = `HttpOnly; SameSite=Lax${originOf(req).startsWith('https:') ? '; Secure' : ''}`
  const maxAge = value === '' ? 0 : seconds
  res.appendHeader(
    'Set-Cookie',
    `${prefixOf(req)}${name}=${value}; Path=/; Max-Age=${maxAge}; ${flags}`,
  )
  res.setHeader('Cache-Control', 'no-store')
}

/** Each token in a cookie that lives as long as it does. `bind` is random text for the keys of refreshes. */
function keepSession(req, res, { access_token, refresh_token }, bind) {
  keep(req, res, 'access', access_token, 3600)
  keep(req, res, 'refresh', `${refresh_token}~${bind}`)
}

function dropSession(req, res) {
  keep(req, res, 'access', '')
  keep(req, res, 'refresh', '')
}

const hasSession = (req) => (readCookie(req, 'access') || readCookie(req, 'refresh')) !== ''

/** A path inside this app. Browsers take //evil.example and /\evil.example for another site. */
export const insideApp = (path) =>
  path && path.length <= 1024 && /^\/([!-.0-[\]-~][!-[\]-~]*)?$/.test(path) ? path : '/'

/** GET /login: the Location to redirect to. The code will contain 8 characters of the challenge, which name the cookie. */
export function startLogin(req, res, returnTo) {
  const verifier = random(32)
  const challenge = sha256(verifier)
  keep(req, res, `login_${challenge.slice(0, 8)}`, verifier, 900)
  const query = { redirect_uri: `${originOf(req)}/auth/callback`, return_to: insideApp(returnTo) }
  const pkce = { response_type: 'code', code_challenge: challenge, code_challenge_method: 'S256' }
  return `${EDGE}/google?${new URLSearchParams({ ...query, ...pkce })}`
}

/** GET /auth/callback with a code: true if the session began. Only the browser that started the login has the verifier. */
export async function finishLogin(req, res, code) {
  const name = `login_${code.slice(7, 15)}`
  const verifier = readCookie(req, name)
  const pair = verifier === '' ? {} : await call('token', { code, code_verifier: verifier })
  if (!pair.access_token) {
    return false
  }
  keep(req, res, name, '')
  keepSession(req, res, pair, random(16))
  return true
}

/** GET /auth/callback with an error: removes the cookie of the login. With more than one, those of other tabs go on. */
export function forgetLogin(req, res) {
  const logins = Object.keys(cookiesOf(req)).filter((name) =>
    name.startsWith(`${prefixOf(req)}login_`),
  )
  if (logins.length === 1) {
    keep(req, res, logins[0].slice(prefixOf(req).length), '')
  }
}

async function verify(access_token) {
  const { user = null } = access_token ? await call('verify', { access_token }) : {}
  return user
}

/** The user or null. Refreshes a session whose access token has expired: call it before you write the response. */
export async function currentUser(req, res) {
  const [token, bind = ''] = readCookie(req, 'refresh').split('~')
  res.setHeader('Cache-Control', 'no-store')
  const user = await verify(readCookie(req, 'access'))
  if (user !== null || token === '') {
    return user
  }
  // Every process derives the same key: the service refreshes once, and repeats its response to the others.
  const mac = createHmac('sha256', SECRET ?? bind)
    .update(`${TENANT}\0${bind}\0${token}`)
    .digest('hex')
  const pair = await call('refresh', { refresh_token: token }, SECRET ? `gh1_${mac}` : mac)
  if (pair.access_token) {
    keepSession(req, res, pair, bind)
  }
  // Superseded: another response sets the new cookie.
  else if (pair.error.code !== 'refreshTokenSuperseded') {
    dropSession(req, res)
  }
  return verify(pair.access_token)
}

/** True if the browser will show the response. A script can't follow a redirect to the login on another site. */
export function isNavigation({ headers }) {
  const { 'sec-fetch-mode': mode, 'x-requested-with': script, accept = '' } = headers
  if (mode) {
    return mode === 'navigate'
  }
  return !script && (accept.includes('text/html') || !accept.includes('json'))
}

/** POST /logout. */
export async function signOut(req, res) {
  const [token] = readCookie(req, 'refresh').split('~')
  dropSession(req, res)
  calls.clear()
  if (token) {
    await call('logout', { refresh_token: token })
  }
}

/**
 * For every request: true for a POST of another site that the cookies of a user make good, or that removes them. A sign-out
 * is refused without a cookie, too: SameSite keeps it back, and the response would remove it all the same.
 */
export function isForeignPost(req, pathname) {
  const reads = ['GET', 'HEAD', 'OPTIONS'].includes(req.method)
  const concernsUser = pathname === '/logout' || hasSession(req)
  return !reads && concernsUser && isForeign(req)
}

function isForeign(req) {
  const {
    'sec-fetch-site': site,
    origin,
    host = '',
    'x-forwarded-host': forwarded = host,
  } = req.headers
  if (site) {
    return site !== 'same-origin' && site !== 'none'
  }
  // A program, or a browser that sends neither: SameSite lets the cookies out for this site only.
  if (!origin) {
    return !hasSession(req)
  }
  // A proxy may end TLS or replace the host.
  const hosts = [hostIn(originOf(req)), host, forwarded.split(',')[0].trim()]
  return !hosts.includes(hostIn(origin))
}

const hostIn = (url) => url.slice(url.lastIndexOf('/') + 1)
