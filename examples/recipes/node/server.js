import { createServer } from 'node:http'
import { handleCallback, handleLogout, readCallbackError, redirectToRetry, startLogin } from '@gatehouse/sdk'
import { nodeHandler, nodeSession, sendResponse, toRequest } from '@gatehouse/sdk/node'
import { client } from './gatehouse.js'

const login = nodeHandler((request) => startLogin(request, { client }))
const callback = nodeHandler((request) => handleCallback(request, { client }))
const logout = nodeHandler((request) => handleLogout(request, { client }))

const escapeHtml = (text) => text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`)

const photo = (picture) => (picture ? `<img src="${escapeHtml(picture)}" alt="" width="48"> ` : '')

const signedIn = ({ name, email, picture }) => `<p>${photo(picture)}Hello, ${escapeHtml(name ?? email)}</p>
<form method="post" action="/logout"><button>Sign out</button></form>`

const signedOut = (error) => `<p>${readCallbackError(error)?.message ?? 'You are not signed in.'}</p>
<a href="/login">Sign in with Google</a>`

async function home(req, res, query) {
  const session = await nodeSession(client, req, res)
  if (session.status === 'superseded') return sendResponse(await redirectToRetry(toRequest(req)), res)
  res.setHeader('Content-Type', 'text/html; charset=utf-8')
  res.end(session.user ? signedIn(session.user) : signedOut(new URLSearchParams(query).get('error')))
}

const server = createServer(async (req, res) => {
  const [path, query] = req.url.split('?')
  if (path === '/login') return login(req, res)
  if (path === '/auth/callback') return callback(req, res)
  if (path === '/logout') return logout(req, res)
  try {
    await home(req, res, query)
  } catch (error) {
    // The service can't be reached, or the project is paused. The user stays signed in.
    console.error(error)
    res.writeHead(503).end('Please try again in a moment.')
  }
})

const port = process.env.PORT ?? 3000
server.listen(port, () => console.log(`http://localhost:${port}`))
