import { createHash, createHmac, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'

function setting(variable, name, file = '.service') {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return process.env[variable] ?? new RegExp(`^${name}=(\\S+)`, 'm').exec(text)?.[1]
}

// The keys in `.service` are for you and your agent; the app doesn't read them.
const SERVICE = setting('GATEHOUSE_URL', 'base_url')
const TENANT = setting('GATEHOUSE_TENANT', 'tenant_id')
const SECRET = setting('GATEHOUSE_SECRET', 'GATEHOUSE_SECRET', '.service.secret')
if (!SERVICE || !TENANT)
  throw new Error('There is no .service here, and GATEHOUSE_URL and GATEHOUSE_TENANT are not set.')
const EDGE = `${SERVICE}/edge/auth/${TENANT}`

/** The service can't be asked now. That says nothing about the session: keep the cookies, and answer 503. */
export class Unavailable extends Error {}

/** Sent again if there is no response: with the same Idempotency-Key, the service repeats its response. */
async function call(action, body, key = sha256(JSON.stringify(body))) {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key }
      const signal = AbortSignal.timeout(10_000)
      const response = await fetch(`${EDGE}/${action}`, { method: 'POST', headers, body: JSON.stringify(body), signal })
      if ([200, 400, 401].includes(response.status)) return await response.json()
    } catch {
      // No response.
    }
  }
  throw new Unavailable('Sign-in isn’t available right now. Try again in a moment.')
}

const random = (bytes) => randomBytes(bytes).toString('base64url')
const sha256 = (text) => createHash('sha256').update(text).digest('base64url')

/** Where the user is: https, except on this machine. Set APP_URL behind a proxy that replaces the Host header. */
export function originOf({ headers: { host = '' } }) {
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host)
  return process.env.APP_URL ?? `${isLocal ? 'http' : 'https'}://${host}`
}

/** No subdomain can set a __Host- cookie. Ports share cookies, so the names of local apps have the port. */
const prefixOf = (req) => (originOf(req).startsWith('https:') ? '__Host-gh_' : `gh_${originOf(req).split(':').at(-1)}_`)

const cookiesOf = ({ headers: { cookie = '' } }) =>
  Object.fromEntries(cookie.split('; ').map((pair) => [pair.split('=')[0], pair.slice(pair.indexOf('=') + 1)]))

export const readCookie = (req, name) => cookiesOf(req)[prefixOf(req) + name] ?? ''

/** Lax, not Strict: the browser returns from another site. Safari drops Secure cookies on http://localhost. */
function keep(req, res, name, value, seconds = 2592000) {
  const secure = originOf(req).startsWith('https:') ? '; Secure' : ''
  const maxAge = value === '' ? 0 : seconds
  res.appendHeader(
    'Set-Cookie',
    `${prefixOf(req)}${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`,
  )
  res.setHeader('Cache-Control', 'no-store')
}

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
  if (verifier === '') return false
  const pair = await call('token', { code, code_verifier: verifier })
  if (!pair.access_token) return false
  keep(req, res, name, '')
  keep(req, res, 'session', `${pair.access_token}~${pair.refresh_token}~${random(16)}`)
  return true
}

/** GET /auth/callback with an error: removes the cookie of the login. With more than one, those of other tabs go on. */
export function forgetLogin(req, res) {
  const prefix = prefixOf(req)
  const logins = Object.keys(cookiesOf(req)).filter((name) => name.startsWith(`${prefix}login_`))
  if (logins.length === 1) keep(req, res, logins[0].slice(prefix.length), '')
}

// A sign-out at another server takes effect after ten seconds at most.
const verified = new Map()
async function verify(access_token) {
  const known = verified.get(access_token)
  if (access_token === '' || known?.until > Date.now()) return known?.user ?? null
  const { user = null } = await call('verify', { access_token })
  if (verified.size >= 10_000) verified.clear()
  verified.set(access_token, { user, until: Date.now() + 10_000 })
  return user
}

/** The user or null. Refreshes a session whose access token has expired: call it before you write the response. */
export async function currentUser(req, res) {
  const [access, token = '', bind = ''] = readCookie(req, 'session').split('~')
  const user = await verify(access)
  res.setHeader('Cache-Control', 'no-store')
  if (user !== null || token === '') return user
  // Requests at the same time derive the same key, in every process: the service refreshes once, for all of them.
  const mac = createHmac('sha256', SECRET ?? bind)
    .update(`${TENANT}\0${bind}\0${token}`)
    .digest('hex')
  const pair = await call('refresh', { refresh_token: token }, SECRET ? `gh1_${mac}` : mac)
  if (pair.access_token) keep(req, res, 'session', `${pair.access_token}~${pair.refresh_token}~${bind}`)
  // Superseded: another response sets the new cookie.
  else if (pair.error.code !== 'refreshTokenSuperseded') keep(req, res, 'session', '')
  return verify(pair.access_token ?? '')
}

/** POST /logout. */
export async function signOut(req, res) {
  const [access, token] = readCookie(req, 'session').split('~')
  verified.delete(access)
  keep(req, res, 'session', '')
  if (token) await call('logout', { refresh_token: token })
}

/** For every request: true for a POST of another site in the name of a signed-in user. */
export function isForeignPost(req) {
  const isSame = req.headers['sec-fetch-site'] === 'same-origin' || req.headers.origin === originOf(req)
  return !['GET', 'HEAD', 'OPTIONS'].includes(req.method) && readCookie(req, 'session') !== '' && !isSame
}
