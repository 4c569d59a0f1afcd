import { browserSession } from '@gatehouse/sdk/browser'

export const session = browserSession({ baseUrl: 'https://login.example.com', tenantId: 'swift-fox-running-k3qd' })

// Call this first on your callback page. Continue with a full page load.
export function callbackPage(): void {
  const outcome = session.completeLogin({ home: '/' })
  location.replace(outcome.ok ? outcome.location : `/sign-in-failed?error=${outcome.error}`)
}

// Everywhere else: session.login({ returnTo: '/notes/7' }), session.user(), session.accessToken(), session.logout(),
// session.onChange((status) => …)
