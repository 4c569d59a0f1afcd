import type { User } from '../types.ts'

const users = new WeakMap<object, User | null>()

export const rememberUser = (request: object, user: User | null): unknown =>
  users.set(request, user)

/** The user that an adapter found for this request. Throws where no adapter ran: null would look like a sign-out. */
export function recallUser(request: object): User | null {
  const user = users.get(request)
  if (user !== undefined) {
    return user
  }
  throw new Error('No user is known for this request. Install gatehouse() before this handler.')
}
