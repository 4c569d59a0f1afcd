import { createServer } from 'node:http'
import * as gatehouse from './gatehouse.js'

const PROBLEMS = {
  access_denied: 'You cancelled the sign-in, so nothing was shared with this app.',
  expired: 'This sign-in took too long, was already used, or was started in another browser.',
  login_failed: 'The sign-in failed, or this app doesn’t accept the account that you chose.',
}

const SIGNED_OUT = { code: 'signedOut', message: 'Sign in first.', login: '/login' }

const escapeHtml = (text) => text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`)
const redirect = (res, location) => res.writeHead(303, { Location: location }).end()
const show = (res, html) => res.setHeader('Content-Type', 'text/html; charset=utf-8').end(html)

async function callback(req, res, query) {
  const back = gatehouse.insideApp(query.get('return_to'))
  if (!query.has('error')) {
    const isSignedIn = await gatehouse.finishLogin(req, res, query.get('code') ?? '')
    return redirect(
      res,
      isSignedIn ? back : `/auth/callback?error=expired&return_to=${encodeURIComponent(back)}`,
    )
  }
  gatehouse.forgetLogin(req, res)
  // Signed-in users tried another account, or reloaded this page.
  if ((await gatehouse.currentUser(req, res)) !== null) {
    return redirect(res, back)
  }
  const code = Object.hasOwn(PROBLEMS, query.get('error')) ? query.get('error') : 'login_failed'
  show(
    res,
    `<!doctype html><html lang="en"><meta name="robots" content="noindex"><title>You’re not signed in</title>
<meta name="viewport" content="width=device-width"><main><h1>You’re not signed in</h1><p>${PROBLEMS[code]}</p>
<p><a href="/login?return_to=${encodeURIComponent(back)}">Sign in again</a>
<a href="/">Go to the start page</a></p></main></html>`,
  )
}

async function handle(req, res) {
  if (!URL.canParse(req.url, 'http://app.invalid')) {
    return res.writeHead(400).end('The URL of this request is not valid.')
  }
  const { pathname, search, searchParams } = new URL(req.url, 'http://app.invalid')
  if (gatehouse.isForeignPost(req, pathname)) {
    return res.writeHead(403).end('No Origin of this app.')
  }
  switch (`${req.method} ${pathname}`) {
    case 'GET /login':
      return redirect(res, gatehouse.startLogin(req, res, searchParams.get('return_to')))
    // Programs that check links start no login.
    case 'HEAD /login':
      return res.writeHead(405, { Allow: 'GET' }).end()
    case 'GET /auth/callback':
      return callback(req, res, searchParams)
    case 'POST /logout':
      await gatehouse.signOut(req, res)
      return redirect(res, '/')
  }
  const user = await gatehouse.currentUser(req, res)
  const isSignedOut = pathname.startsWith('/notes') && user === null
  if (isSignedOut && !gatehouse.isNavigation(req)) {
    res.writeHead(401, { 'Content-Type': 'application/json' })
    return res.end(JSON.stringify({ error: SIGNED_OUT }))
  }
  if (isSignedOut) {
    // After the login, the browser opens this page, which may not exist for a GET.
    const here = req.method === 'GET' ? pathname + search : '/'
    return redirect(res, `/login?return_to=${encodeURIComponent(here)}`)
  }
  if (user === null) {
    return show(res, '<p>Not signed in. <a href="/login?return_to=/notes">Sign in</a></p>')
  }
  show(
    res,
    `<h1>Notes of ${escapeHtml(user.email)}</h1><form method="post" action="/logout"><button>Sign out</button></form>`,
  )
}

createServer((req, res) => {
  handle(req, res).catch((error) => {
    if (!(error instanceof gatehouse.Unavailable)) {
      console.error(error)
    }
    res.writeHead(error instanceof gatehouse.Unavailable ? 503 : 500).end(error.message)
  })
}).listen(process.env.PORT ?? 3000)
