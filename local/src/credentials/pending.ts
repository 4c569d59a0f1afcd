import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { pendingPath } from './paths.ts'
import { readPrivate } from './read-private.ts'
import { writePrivate } from './write-private.ts'

/** A creation for an account whose outcome is unknown. */
export interface Pending {
  readonly service: string
  /** The service scopes the idempotency key to this client. */
  readonly clientId: string
  readonly idempotencyKey: string
}

/**
 * The idempotency key of this project's creation: the key of an earlier creation with unknown outcome, or a new one. It is
 * stored before it is sent, so that a retry after a lost response gets the same tenant instead of a second one.
 */
export async function pendingCreation(root: string, service: string, clientId: string): Promise<Pending> {
  const known = await readPending(root)
  if (known !== null && known.service === service && known.clientId === clientId) return known
  const pending = { service, clientId, idempotencyKey: randomBytes(18).toString('base64url') }
  await writePrivate(pendingPath(root), `${JSON.stringify(pending)}\n`)
  return pending
}

export async function readPending(root: string): Promise<Pending | null> {
  const read = await readPrivate(pendingPath(root))
  if (read.kind !== 'text') return null
  try {
    const { service, clientId, idempotencyKey } = JSON.parse(read.text)
    const isComplete = [service, clientId, idempotencyKey].every((field) => typeof field === 'string')
    return isComplete && /^[A-Za-z0-9_-]{8,128}$/.test(idempotencyKey) ? { service, clientId, idempotencyKey } : null
  } catch {
    return null
  }
}

export const removePending = (root: string): Promise<void> => rm(pendingPath(root), { force: true })
