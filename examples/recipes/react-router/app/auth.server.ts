import { redirectToRetry, startLogin, type User } from '@gatehouse/sdk'
import { client } from './gatehouse.server'

/** The signed-in user and the response headers. Redirects to the login if there is no session. */
export async function requireUser(request: Request): Promise<{ user: User; headers: Headers }> {
  const headers = new Headers()
  const setCookie = (line: string) => headers.append('Set-Cookie', line)
  const session = await client.session(request, { refresh: true, setCookie })
  if (session.status === 'superseded') throw await redirectToRetry(request)
  if (session.user === null) throw startLogin(request, { client, returnHere: true })
  return { user: session.user, headers }
}
