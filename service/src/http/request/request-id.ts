import { randomFillSync } from 'node:crypto'

const ID_BYTES = 12
const AT_A_TIME = 256

const drawn = Buffer.alloc(ID_BYTES * AT_A_TIME)
let next = drawn.length

/** An id that nobody can guess. Drawn many at a time: asking the system for each would cost more than all the rest. */
export function requestId(): string {
  if (next === drawn.length) {
    randomFillSync(drawn)
    next = 0
  }
  next += ID_BYTES
  return drawn.toString('base64url', next - ID_BYTES, next)
}
