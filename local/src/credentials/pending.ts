import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { pendingPath } from './files.ts'
import { readPrivate } from './open-private.ts'
import { writePrivate } from './write-private.ts'

/** A creation for an account that has not been seen to succeed. */
export interface Pending {
  readonly service: string
  /** The same name gives the same tenant, as long as the same client asks. */
  readonly clientId: string
  readonly idempotencyKey: string
}

/**
 * The name of this project's creation: the one of an attempt whose outcome nobody knows, or a new one. It is written
 * down before it is used, so that an answer that gets lost is asked for again, and not created again.
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
    const isWhole = [service, clientId, idempotencyKey].every((field) => typeof field === 'string')
    return isWhole && /^[A-Za-z0-9_-]{8,128}$/.test(idempotencyKey) ? { service, clientId, idempotencyKey } : null
  } catch {
    return null
  }
}

export const forgetPending = (root: string): Promise<void> => rm(pendingPath(root), { force: true })
