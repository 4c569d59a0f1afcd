import express from 'express'
import session from 'express-session'
import * as client from 'openid-client'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, APP_URL, SESSION_SECRET, PORT } = process.env

const issuer = new URL(ISSUER)
// A service on your own machine has no https.
const execute = issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []
const secret = client.ClientSecretPost(CLIENT_SECRET)
const config = await client.discovery(issuer, CLIENT_ID, {}, secret, { execute })

const app = express()
app.use(session({ secret: SESSION_SECRET, resave: false, saveUninitialized: false }))

app.get('/', (req, res) => {
  const { user } = req.session
  res.send(user ? `Signed in as ${user.email}` : 'Signed out')
})

app.get('/login', async (req, res) => {
  const code_verifier = client.randomPKCECodeVerifier()
  const [state, nonce] = [client.randomState(), client.randomNonce()]
  req.session.login = { code_verifier, state, nonce }
  const location = client.buildAuthorizationUrl(config, {
    redirect_uri: `${APP_URL}/callback`,
    scope: 'openid email profile',
    code_challenge: await client.calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  })
  res.redirect(location.href)
})

app.get('/callback', async (req, res) => {
  const { code_verifier, state, nonce } = req.session.login ?? {}
  const tokens = await client.authorizationCodeGrant(config, new URL(req.url, APP_URL), {
    pkceCodeVerifier: code_verifier,
    expectedState: state,
    expectedNonce: nonce,
  })
  req.session.user = tokens.claims()
  req.session.tokens = tokens
  res.redirect('/')
})

app.get('/refresh', async (req, res) => {
  const { refresh_token } = req.session.tokens
  req.session.tokens = await client.refreshTokenGrant(config, refresh_token)
  req.session.user = req.session.tokens.claims()
  res.redirect('/')
})

app.get('/logout', (req, res) => {
  const { id_token } = req.session.tokens
  const location = client.buildEndSessionUrl(config, {
    id_token_hint: id_token,
    post_logout_redirect_uri: `${APP_URL}/`,
  })
  req.session.destroy(() => res.redirect(location.href))
})

app.use((error, _req, res, _next) => {
  res.status(400).send(`Sign-in failed: ${error.error_description ?? error.message}`)
})

app.listen(PORT, 'localhost')
