import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below what systems give to outgoing connections (from 32768 on Linux, from 49152 elsewhere): thousands of those come
// and go beside the tests, and any of them could take a port between our look and its use.
const FIRST = 10_000
const AFTER_LAST = 32_768
const HELD_MS = 60_000
const ATTEMPTS = 100

/**
 * A port that nobody listens on, and that no other test process is given in the next minute. Tests run in several
 * processes at once; a port that was only looked at would now and then be taken by two of them.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(FIRST, AFTER_LAST)
    if ((await isReserved(port)) && (await isFree(port))) return port
  }
  throw new Error(`no free port in ${ATTEMPTS} attempts`)
}

/** The same number for UDP is the reservation: nothing here uses it, one process can have it, and it ends with us. */
async function isReserved(port: number): Promise<boolean> {
  const held = createSocket('udp4')
  try {
    held.bind({ port, address: '127.0.0.1', exclusive: true })
    await once(held, 'listening')
  } catch {
    return false
  }
  held.unref()
  setTimeout(() => held.close(), HELD_MS).unref()
  return true
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  try {
    probe.listen(port, '127.0.0.1')
    await once(probe, 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}
