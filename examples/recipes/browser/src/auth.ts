import { readCallbackError } from '@gatehouse-auth/sdk'
import { browserSession } from '@gatehouse-auth/sdk/browser'

// session.login({ returnTo: '/notes/7' }), session.user(), session.accessToken(), session.logout(),
// session.onChange((status) => …)
export const session = browserSession({
  baseUrl: 'https://login.example.com',
  tenantId: 'swift-fox-running-k3qd',
  // The user returns to the address where they are. Register each one.
  redirectUri: `${location.origin}/auth/callback`,
})

// Import this file first: the callback has no page of its own, and continues with a full page load.
if (location.pathname === '/auth/callback') {
  const outcome = session.completeLogin({ home: '/' })
  // The user opened the login link itself. Its tokens are ignored: this browser must start the login.
  if (!outcome.ok && outcome.error === 'login_not_started') {
    session.login()
  } else {
    location.replace(outcome.ok ? outcome.location : `/?sign_in_error=${outcome.error}`)
  }
}

const failure = readCallbackError(new URLSearchParams(location.search).get('sign_in_error'))
if (failure) {
  history.replaceState(null, '', location.pathname)
  const note = document.createElement('p')
  note.setAttribute('role', 'alert')
  const button = document.createElement('button')
  button.textContent = 'Sign in again'
  button.onclick = () => session.login()
  note.append(failure.message, ' ', button)
  // Signed-in users tried another account, or opened the callback again. It rejects in an outage, of users who are signed in.
  session.user().then(
    (user) => user ?? document.body.prepend(note),
    () => {},
  )
}
