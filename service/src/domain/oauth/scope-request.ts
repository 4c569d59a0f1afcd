import { isScope, SCOPES, type Scope } from '@gatehouse/contract'

/** OpenID scopes that clients add on their own. They have no effect here. */
const IGNORED = new Set(['openid', 'profile', 'email', 'address', 'phone', 'offline_access'])

/** The requested scopes: all if none is named, null if only unknown ones are. */
export function readScopeRequest(scope: string | undefined): Scope[] | null {
  const named = (scope ?? '').split(' ').filter((name) => name !== '' && !IGNORED.has(name))
  if (named.length === 0) return [...SCOPES]
  const known = SCOPES.filter((name) => named.includes(name))
  return known.length === 0 ? null : known
}

/** A refresh may narrow the scopes, never widen them (RFC 6749, section 6). null: it asks for more. */
export function narrowScopes(granted: readonly Scope[], scope: string | undefined): Scope[] | null {
  const named = (scope ?? '').split(' ').filter((name) => name !== '' && !IGNORED.has(name))
  if (named.length === 0) return [...granted]
  return named.every((name) => isScope(name) && granted.includes(name))
    ? granted.filter((name) => named.includes(name))
    : null
}
