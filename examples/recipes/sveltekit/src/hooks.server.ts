import { redirectToRetry, startLogin, type User } from '@gatehouse/sdk'
import type { Handle } from '@sveltejs/kit/hooks' // '@sveltejs/kit' before SvelteKit 3
import { client } from './lib/server/gatehouse'

declare global {
  namespace App {
    interface Locals {
      user: User | null
    }
  }
}

export const handle: Handle = async ({ event, resolve }) => {
  // These two set the token cookies themselves. Refreshing here would store a pair after the logout removed it.
  if (['/auth/callback', '/logout'].includes(event.url.pathname)) return resolve(event)
  const setCookies: string[] = []
  const session = await client.session(event.request, { refresh: true, setCookie: (line) => setCookies.push(line) })
  if (session.status === 'superseded') return redirectToRetry(event.request)
  if (session.user === null && event.url.pathname.startsWith('/notes')) {
    return startLogin(event.request, { client, returnTo: event.url.pathname + event.url.search })
  }
  event.locals.user = session.user
  const response = await resolve(event)
  for (const line of setCookies) response.headers.append('Set-Cookie', line)
  return response
}
