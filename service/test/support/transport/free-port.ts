import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Above the ports that fetch refuses (10080 is the highest), and below the ephemeral range (from 32768 on Linux, from 49152
// elsewhere), where an outgoing connection could take a port between the check and its use.
const FIRST = 10_081
const AFTER_LAST = 32_768
const RESERVED_MS = 60_000
const ATTEMPTS = 100

/**
 * A port without a listener, reserved for this test process for one minute. Tests run in several processes at once; without
 * the reservation two of them could get the same port.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(FIRST, AFTER_LAST)
    if ((await isReserved(port)) && (await isFree(port))) {
      return port
    }
  }
  throw new Error(`no free port in ${ATTEMPTS} attempts`)
}

/** The reservation is an exclusive UDP socket on the same number: nothing else uses it, and it ends with the process. */
async function isReserved(port: number): Promise<boolean> {
  const reservation = createSocket('udp4')
  try {
    reservation.bind({ port, address: '127.0.0.1', exclusive: true })
    await once(reservation, 'listening')
  } catch {
    return false
  }
  reservation.unref()
  setTimeout(() => reservation.close(), RESERVED_MS).unref()
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
