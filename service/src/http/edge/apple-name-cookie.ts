import { createHash } from 'node:crypto'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Call } from '../dependencies.ts'

/** From the form that Apple posts to the redirect that follows it. */
const SECONDS = 60
const NAME_MAX_CHARACTERS = 200

const nameOf = (baseUrl: string): string => `${baseUrl.startsWith('https:') ? '__Secure-' : ''}gatehouse_apple_name`

/** With a hash of the state, so that a form of another site cannot name the user of the next sign-in. */
const tagOf = (state: string): string => createHash('sha256').update(state).digest('base64url').slice(0, 22)

/**
 * Keeps the name that Apple posts once, beside the response. In a cookie of the callback's path, because a URL would be in
 * the history of the browser and in logs.
 */
export function setAppleName(c: Call, baseUrl: string, { path, state, name }: AppleName): void {
  const value = `${tagOf(state)}.${Buffer.from(name.slice(0, NAME_MAX_CHARACTERS)).toString('base64url')}`
  const secure = baseUrl.startsWith('https:')
  setCookie(c, nameOf(baseUrl), value, { httpOnly: true, sameSite: 'Lax', path, maxAge: SECONDS, secure })
}

interface AppleName {
  readonly path: string
  readonly state: string
  readonly name: string
}

/** The name that came with the response of this state; deletes the cookie. */
export function takeAppleName(c: Call, baseUrl: string, { path, state }: Omit<AppleName, 'name'>): string | null {
  const value = getCookie(c, nameOf(baseUrl))
  if (value === undefined) return null
  deleteCookie(c, nameOf(baseUrl), { path, secure: baseUrl.startsWith('https:') })
  const [tag, name = ''] = value.split('.')
  return tag === tagOf(state) ? Buffer.from(name, 'base64url').toString() : null
}

/** The name in Apple's field `user`: JSON, unsigned, and sent with the first sign-in only. */
export function readAppleUser(user: string | null): string | null {
  if (user === null) return null
  try {
    const { name } = JSON.parse(user) as { name?: { firstName?: unknown; lastName?: unknown } }
    const parts = [name?.firstName, name?.lastName].filter((part) => typeof part === 'string' && part.trim() !== '')
    return parts.length === 0 ? null : parts.join(' ')
  } catch {
    return null
  }
}
