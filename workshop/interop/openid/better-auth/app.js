import { betterAuth } from 'better-auth'
import { fromNodeHeaders, toNodeHandler } from 'better-auth/node'
import { genericOAuth } from 'better-auth/plugins'
import express from 'express'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, APP_URL, SESSION_SECRET, PORT } = process.env

const gatehouse = {
  providerId: 'gatehouse',
  discoveryUrl: `${ISSUER}/.well-known/openid-configuration`,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  scopes: ['openid', 'email', 'profile'],
  pkce: true,
}
const plugins = [genericOAuth({ config: [gatehouse] })]
const auth = betterAuth({ baseURL: APP_URL, secret: SESSION_SECRET, plugins })

const app = express()
app.all('/api/auth/{*path}', toNodeHandler(auth))

app.get('/', async (req, res) => {
  const session = await auth.api.getSession({ headers: fromNodeHeaders(req.headers) })
  res.send(session ? `Signed in as ${session.user.email}` : 'Signed out')
})

app.get('/login', async (req, res) => {
  const { headers, response } = await auth.api.signInWithOAuth2({
    body: { providerId: 'gatehouse', callbackURL: '/' },
    headers: fromNodeHeaders(req.headers),
    returnHeaders: true,
  })
  res.setHeaders(headers)
  res.redirect(response.url)
})

app.get('/logout', async (req, res) => {
  const { headers } = await auth.api.signOut({
    headers: fromNodeHeaders(req.headers),
    returnHeaders: true,
  })
  res.setHeaders(headers)
  res.redirect('/')
})

app.listen(PORT, 'localhost')
