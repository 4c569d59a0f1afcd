// What the examples need in plain Node: the service's responses, a browser's storage and Playwright's browser.
const user = { id: 1, email: 'ada@example.com', name: 'Ada', picture: null }
const pair = { access_token: 'a', refresh_token: 'r' }
const RESPONSES = {
  verify: { valid: true, user },
  refresh: pair,
  logout: { success: true },
  'test-sessions': { ...pair, user },
  users: { users: [user] },
  block: { user },
}

globalThis.fetch = async (url) => {
  const { hostname, pathname } = new URL(url)
  if (!['login.example.com', 'localhost'].includes(hostname)) {
    throw new TypeError(`fetch failed: ${url}`)
  }
  return Response.json(RESPONSES[pathname.split('/').at(-1)] ?? { success: true }, {
    headers: { 'API-Version': '1' },
  })
}

const storage = () => {
  const items = new Map()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => items.set(key, value),
    removeItem: (key) => items.delete(key),
  }
}
const define = (name, value) =>
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
define('localStorage', storage())
define('sessionStorage', storage())
define('addEventListener', () => {})
define('removeEventListener', () => {})
