import { forwardCookies, redirectToRetry, startLogin } from '@gatehouse/sdk'
import { type NextRequest, NextResponse } from 'next/server'
import { client } from './gatehouse'

export async function proxy(request: NextRequest) {
  const setCookies: string[] = []
  const session = await client.session(request, { refresh: true, setCookie: (line) => setCookies.push(line) })
  // The proxy of Next.js accepts absolute redirect URLs only.
  if (session.status === 'superseded') return NextResponse.redirect(request.nextUrl, await redirectToRetry(request))
  if (session.user === null) return startLogin(request, { client, returnHere: true })
  const response = NextResponse.next({ request: { headers: forwardCookies(request.headers, setCookies) } })
  for (const line of setCookies) response.headers.append('Set-Cookie', line)
  return response
}

export const config = { matcher: ['/notes/:path*'] }
