import { existsSync, readFileSync } from 'node:fs'

const file = existsSync('.service') ? readFileSync('.service', 'utf8') : ''

/** Neither value is secret. The keys in `.service` are for you and your agent; the app doesn't read them. */
function setting(variable, name) {
  const value = process.env[variable] ?? new RegExp(`^${name}=(.+)$`, 'm').exec(file)?.[1]
  if (!value) throw new Error(`There is no ${name} in .service, and ${variable} is not set.`)
  return value
}

const EDGE = `${setting('GATEHOUSE_URL', 'base_url')}/edge/auth/${setting('GATEHOUSE_TENANT', 'tenant_id')}`

// Lax, not Strict: the browser returns from another site. Safari rejects Secure cookies on http://localhost.
const SECURE = process.env.NODE_ENV === 'production' ? '; Secure' : ''
const cookie = (name, value, maxAge) => `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${SECURE}`

const store = ({ access_token, refresh_token }) => [
  cookie('access_token', access_token, 3600),
  cookie('refresh_token', refresh_token, 2592000),
]
const clear = [cookie('access_token', '', 0), cookie('refresh_token', '', 0)]

const post = (action, body) =>
  fetch(`${EDGE}/${action}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

/** The Cookie header as an object. */
export const readCookies = (header) =>
  Object.fromEntries((header ?? '').split('; ').map((pair) => [pair.split('=')[0], pair.slice(pair.indexOf('=') + 1)]))

/** A path inside this app, or the home page: anything else may lead to another site. */
const insideApp = (path) => (/^\/(?![/\\])/.test(path ?? '') ? path : '/')

/** For GET /login: the redirect to the login link, and a cookie that proves later that this browser started it. */
export function startLogin(returnTo, callback) {
  const nonce = crypto.randomUUID()
  const back = new URL(insideApp(returnTo), 'http://app.invalid')
  back.searchParams.set('login', nonce)
  const query = new URLSearchParams({ redirect_uri: callback, return_to: back.pathname + back.search })
  return { location: `${EDGE}/google?${query}`, cookies: [cookie('login', nonce, 600)] }
}

/** For GET /auth/callback: stores the tokens in cookies and redirects to a URL without tokens. */
export function finishLogin(url, cookies) {
  const query = new URL(url, 'http://app.invalid').searchParams
  const error = query.get('error')
  if (error) return { location: `/?sign_in=${encodeURIComponent(error)}`, cookies: [cookie('login', '', 0)] }
  const back = new URL(insideApp(query.get('return_to')), 'http://app.invalid')
  // Login CSRF: an attacker can send a user here with the tokens of the attacker's account.
  const startedHere = cookies.login && back.searchParams.get('login') === cookies.login
  if (!startedHere || !query.get('access_token')) return { location: '/?sign_in=not_started_here', cookies: [] }
  back.searchParams.delete('login')
  return {
    location: insideApp(back.pathname + back.search),
    cookies: [...store(Object.fromEntries(query)), cookie('login', '', 0)],
  }
}

async function verify(access_token) {
  const response = await post('verify', { access_token })
  // A pause or an outage says nothing about the token: keep the cookies, and let the page fail.
  if (!response.ok) throw new Error(`Sign-in is not available: ${response.status} ${await response.text()}`)
  return response.json()
}

// Concurrent requests share one refresh: a refresh token is single use.
const refreshing = new Map()
function refreshOnce(refresh_token) {
  if (!refreshing.has(refresh_token)) {
    const result = post('refresh', { refresh_token }).then(async (response) => ({
      status: response.status,
      body: await response.json(),
    }))
    refreshing.set(refresh_token, result)
    const done = () => setTimeout(() => refreshing.delete(refresh_token), 10_000).unref()
    result.then(done, done)
  }
  return refreshing.get(refresh_token)
}

/** For every request: the user or null, and the cookies to set on the response. */
export async function currentUser({ access_token, refresh_token }) {
  const first = access_token ? await verify(access_token) : { valid: false }
  if (first.valid) return { user: first.user, cookies: [] }
  if (!refresh_token) return { user: null, cookies: [] }
  const { status, body } = await refreshOnce(refresh_token)
  if (status === 401) {
    // Another process of this app has just refreshed, and its response sets the new cookies.
    const isRace = body.error.code === 'refreshTokenSuperseded'
    return { user: null, cookies: isRace ? [] : clear }
  }
  if (status !== 200) throw new Error(`Sign-in is not available: ${status} ${body.error.code}`)
  const second = await verify(body.access_token)
  return { user: second.valid ? second.user : null, cookies: store(body) }
}

/** For POST /logout. */
export async function signOut({ refresh_token }) {
  if (refresh_token) await post('logout', { refresh_token })
  return clear
}
