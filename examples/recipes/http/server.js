import { createServer } from 'node:http'
import { currentUser, finishLogin, readCookies, signOut, startLogin } from './gatehouse.js'

const redirect = (res, { location, cookies }) =>
  res.writeHead(303, { Location: location, 'Set-Cookie': cookies, 'Cache-Control': 'no-store' }).end()

const escapeHtml = (text) => text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`)

/** Where the user is now, if that callback is registered. Other addresses than those of this machine are https. */
const callbackOf = ({ headers: { host } }) =>
  `${/^(localhost|127\.0\.0\.1)(:|$)/.test(host) ? 'http' : 'https'}://${host}/auth/callback`

const PROBLEMS = {
  access_denied: 'You cancelled the sign-in.',
  login_failed: 'The sign-in failed, or this app does not accept your account.',
  not_started_here: 'This sign-in took too long or started elsewhere. Please sign in again.',
}

const page = (user, problem) =>
  user
    ? `<p>Hello, ${escapeHtml(user.email)}</p><form method="post" action="/logout"><button>Sign out</button></form>`
    : `<p>Not signed in. ${Object.hasOwn(PROBLEMS, problem) ? PROBLEMS[problem] : ''}</p>
<a href="/login?return_to=/settings">Sign in</a>`

async function handle(req, res) {
  const { pathname, searchParams } = new URL(req.url, 'http://app.invalid')
  const cookies = readCookies(req.headers.cookie)
  const route = `${req.method} ${pathname}`
  if (route === 'GET /login') return redirect(res, startLogin(searchParams.get('return_to'), callbackOf(req)))
  if (route === 'GET /auth/callback') return redirect(res, finishLogin(req.url, cookies))
  if (route === 'POST /logout') return redirect(res, { location: '/', cookies: await signOut(cookies) })

  const current = await currentUser(cookies)
  res.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Set-Cookie': current.cookies })
  res.end(page(current.user, searchParams.get('sign_in')))
}

createServer((req, res) => {
  handle(req, res).catch((error) => {
    console.error(error)
    res.writeHead(503).end('Sign-in is not available right now.')
  })
}).listen(process.env.PORT ?? 3000)
