import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Ahead } from './server.ts'

/** Whoever takes nothing for this long, while there is something to take, has gone or means harm. */
const TAKES_NOTHING_MS = 30_000
/** When more than this lies about untaken, whoever took nothing since the last look is cut at once. */
const UNTAKEN_MAX_BYTES = 16 * 1_024 * 1_024
const LOOK_EVERY_MS = 1_000
/** Requests that were sent before the ones in front of them were answered. Clients that do it at all send a few. */
const PIPELINED_MAX = 16

/** What a connection had taken when we last looked, and since when it has taken no more. */
interface Reader {
  taken: number
  since: number
}

/**
 * The other half of the limits of a process: how slowly a stranger may read. What nobody takes stays in our memory, so
 * a few hundred who ask for much and read nothing would fill it.
 */
export function cutSlowReaders(server: Server): void {
  const readers = new Map<Socket, Reader>()
  server.on('connection', (socket: Socket) => {
    readers.set(socket, { taken: 0, since: performance.now() })
    socket.once('close', () => readers.delete(socket))
  })
  cutLongPipelines(server)

  const looking = setInterval(() => {
    const now = performance.now()
    const stuck: [Socket, Reader][] = []
    let untaken = 0
    for (const [socket, reader] of readers) {
      const taken = socket.bytesWritten - socket.writableLength
      untaken += socket.writableLength
      if (socket.writableLength > 0 && taken === reader.taken) stuck.push([socket, reader])
      else Object.assign(reader, { taken, since: now })
    }
    for (const [socket, { since }] of stuck) {
      if (untaken > UNTAKEN_MAX_BYTES || now - since > TAKES_NOTHING_MS) socket.destroy()
    }
  }, LOOK_EVERY_MS)
  looking.unref()
  server.once('close', () => clearInterval(looking))
}

function cutLongPipelines(server: Server): void {
  const pipelined = new WeakMap<Socket, number>()
  server.on('request', ({ socket }, res) => {
    // An answer that has no connection yet stands in a row behind others.
    if (res.socket !== null) return
    const waiting = (pipelined.get(socket) ?? 0) + 1
    pipelined.set(socket, waiting)
    res.once('close', () => pipelined.set(socket, (pipelined.get(socket) ?? 1) - 1))
    if (waiting > PIPELINED_MAX) socket.destroy()
  })
}

/** What was read in one piece with the request that had its connection cut is not answered, and costs nothing. */
export const afterTheCut: Ahead = {
  takes: ({ socket }) => socket.destroyed,
  answer: () => {},
}
