import { createServer } from 'node:http'
import { readCallbackError } from '@gatehouse-auth/sdk'
import { gatehouse } from '@gatehouse-auth/sdk/node'

const escapeHtml = (text) => text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`)

const photo = (picture) => (picture ? `<img src="${escapeHtml(picture)}" alt="" width="48"> ` : '')

const signedIn = ({
  name,
  email,
  picture,
}) => `<p>${photo(picture)}Hello, ${escapeHtml(name ?? email)}</p>
<form method="post" action="/logout"><button>Sign out</button></form>`

const signedOut = (
  error,
) => `<p>${readCallbackError(error)?.message ?? 'You are not signed in.'}</p>
<a href="/login">Sign in with Google</a>`

const server = createServer(
  gatehouse({ errorPath: '/' }, (req, res, { user }) => {
    const [, query] = req.url.split('?')
    res.setHeader('Content-Type', 'text/html; charset=utf-8')
    res.end(user ? signedIn(user) : signedOut(new URLSearchParams(query).get('error')))
  }),
)

const port = process.env.PORT ?? 3000
server.listen(port, () => console.log(`http://localhost:${port}`))
