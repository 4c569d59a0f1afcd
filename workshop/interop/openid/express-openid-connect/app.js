import express from 'express'
import openid from 'express-openid-connect'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, APP_URL, SESSION_SECRET, PORT } = process.env

const gatehouse = {
  issuerBaseURL: ISSUER,
  clientID: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  baseURL: APP_URL,
  secret: SESSION_SECRET,
  authorizationParams: { response_type: 'code' },
  idpLogout: true,
}

const app = express()
app.use(openid.auth({ ...gatehouse, authRequired: false }))

app.get('/', (req, res) => {
  res.send(req.oidc.isAuthenticated() ? `Signed in as ${req.oidc.user.email}` : 'Signed out')
})

app.get('/refresh', async (req, res) => {
  await req.oidc.accessToken.refresh()
  res.redirect('/')
})

app.use((error, _req, res, _next) => {
  res.status(400).send(`Sign-in failed: ${error.error_description ?? error.message}`)
})

app.listen(PORT, 'localhost')
