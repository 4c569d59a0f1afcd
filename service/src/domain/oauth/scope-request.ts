import { isScope, SCOPES, type Scope } from '@gatehouse/contract'

/** Scopes of OpenID that clients add to whatever they were told. They mean nothing here, and do no harm. */
const IGNORED = new Set(['openid', 'profile', 'email', 'address', 'phone', 'offline_access'])

/** The scopes a client asks for: all of ours when it names none, and null when it names only strangers. */
export function readScopeRequest(scope: string | undefined): Scope[] | null {
  const named = (scope ?? '').split(' ').filter((name) => name !== '' && !IGNORED.has(name))
  if (named.length === 0) return [...SCOPES]
  const known = SCOPES.filter((name) => named.includes(name))
  return known.length === 0 ? null : known
}

/** For a refresh: the same or fewer, never more (RFC 6749, section 6). null: it asked for more. */
export function narrowScopes(granted: readonly Scope[], scope: string | undefined): Scope[] | null {
  const named = (scope ?? '').split(' ').filter((name) => name !== '' && !IGNORED.has(name))
  if (named.length === 0) return [...granted]
  return named.every((name) => isScope(name) && granted.includes(name))
    ? granted.filter((name) => named.includes(name))
    : null
}
