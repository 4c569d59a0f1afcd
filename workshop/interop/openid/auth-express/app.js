import { ExpressAuth, getSession } from '@auth/express'
import express from 'express'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, SESSION_SECRET, PORT } = process.env

const gatehouse = {
  id: 'gatehouse',
  name: 'Gatehouse',
  type: 'oidc',
  issuer: ISSUER,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
}
const config = { providers: [gatehouse], secret: SESSION_SECRET }

const app = express()
app.use('/auth', ExpressAuth(config))

app.get('/', async (req, res) => {
  const session = await getSession(req, config)
  res.send(session?.user ? `Signed in as ${session.user.email}` : 'Signed out')
})

app.listen(PORT, 'localhost')
