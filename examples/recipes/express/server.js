import { gatehouse, userOf } from '@gatehouse-auth/sdk/express'
import express from 'express'

const app = express()

// Answers /login, /auth/callback and POST /logout, and guards /notes. A user who cancels sees a page that says so, with a button.
app.use(gatehouse({ home: '/notes', protect: ['/notes'] }))

// Rows belong to user.id, which never changes in this project; another project's ids start at 1 again. An email address can change.
const visits = new Map()

const SIGN_IN = '<a href="/login">Sign in with Google</a>'
const SIGN_OUT = '<form method="post" action="/logout"><button>Sign out</button></form>'
const escapeHtml = (text) => text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`)

// A public page: the user is null for visitors.
app.get('/', (req, res) => {
  const user = userOf(req)
  res.send(
    user
      ? `<p>Hello, ${escapeHtml(user.name ?? user.email)}. <a href="/notes">Notes</a></p>${SIGN_OUT}`
      : SIGN_IN,
  )
})

app.get('/notes', (req, res) => {
  const { id, email } = userOf(req)
  visits.set(id, (visits.get(id) ?? 0) + 1)
  res.send(`<h1>Notes of ${escapeHtml(email)}</h1><p>Visits: ${visits.get(id)}</p>${SIGN_OUT}`)
})

const port = process.env.PORT ?? 3000
app.listen(port, () => console.log(`http://localhost:${port}`))
