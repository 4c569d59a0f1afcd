import { randomFillSync } from 'node:crypto'

const ID_BYTES = 12
const IDS_PER_REFILL = 256

const randomBytes = Buffer.alloc(ID_BYTES * IDS_PER_REFILL)
let next = randomBytes.length

/** Creates an unguessable id. Random bytes are fetched in batches, because one system call per request is expensive. */
export function requestId(): string {
  if (next === randomBytes.length) {
    randomFillSync(randomBytes)
    next = 0
  }
  next += ID_BYTES
  return randomBytes.toString('base64url', next - ID_BYTES, next)
}
