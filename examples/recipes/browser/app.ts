import { browserSession } from '@gatehouse/sdk/browser'

export const session = browserSession({
  baseUrl: 'https://login.example.com',
  tenantId: 'swift-fox-running-k3qd',
  // The user returns to the address where they are. Register each one.
  redirectUri: `${location.origin}/auth/callback`,
})

// Call this first on your callback page. Continue with a full page load.
export function callbackPage(): void {
  const outcome = session.completeLogin({ home: '/' })
  // The user opened the login link itself. Its tokens are ignored: this browser must start the login.
  if (!outcome.ok && outcome.error === 'login_not_started') session.login()
  // /sign-in-failed is a page of yours: it shows readCallbackError(error) and a button that calls session.login().
  else location.replace(outcome.ok ? outcome.location : `/sign-in-failed?error=${outcome.error}`)
}

// Everywhere else: session.login({ returnTo: '/notes/7' }), session.user(), session.accessToken(), session.logout(),
// session.onChange((status) => …)
