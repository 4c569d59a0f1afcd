import express from 'express'
import session from 'express-session'
import passport from 'passport'
import OpenIDConnectStrategy from 'passport-openidconnect'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, APP_URL, SESSION_SECRET, PORT } = process.env

const gatehouse = {
  issuer: ISSUER,
  authorizationURL: `${ISSUER}/oauth/authorize`,
  tokenURL: `${ISSUER}/oauth/token`,
  userInfoURL: `${ISSUER}/oauth/userinfo`,
  clientID: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  callbackURL: `${APP_URL}/callback`,
  scope: 'email profile',
}
passport.use(new OpenIDConnectStrategy(gatehouse, (_issuer, user, done) => done(null, user)))

passport.serializeUser((user, done) => done(null, user))
passport.deserializeUser((user, done) => done(null, user))

const app = express()
app.use(session({ secret: SESSION_SECRET, resave: false, saveUninitialized: false }))
app.use(passport.session())

app.get('/', (req, res) => {
  res.send(req.user ? `Signed in as ${req.user.emails[0].value}` : 'Signed out')
})

app.get('/login', passport.authenticate('openidconnect'))

app.get(
  '/callback',
  passport.authenticate('openidconnect', {
    successRedirect: '/',
    failureRedirect: '/failed',
    failureMessage: true,
  }),
)

app.get('/failed', (req, res) => {
  res.send(`Sign-in failed: ${req.session.messages?.at(-1)}`)
})

app.get('/logout', (req, res) => req.logout(() => res.redirect('/')))

app.listen(PORT, 'localhost')
