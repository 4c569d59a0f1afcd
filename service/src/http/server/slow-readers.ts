import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastPath } from './server.ts'

/** Whoever takes nothing for this long, while there is something to take, has gone or means harm. */
const TAKES_NOTHING_MS = 30_000
/** When more than this lies about untaken, whoever took nothing since the last look is cut at once. */
const UNTAKEN_MAX_BYTES = 16 * 1_024 * 1_024
const LOOK_EVERY_MS = 1_000
/** Requests that were sent before the ones in front of them were answered. Clients that do it at all send a few. */
const PIPELINED_MAX = 16

/** What a connection had taken when we last looked, since when it has taken no more, and what stands behind that. */
interface Reader {
  taken: number
  since: number
  /** Answers to pipelined requests. They have no connection yet, so what they hold is not counted there. */
  readonly queued: Set<ServerResponse>
}

/**
 * The other half of the limits of a process: how slowly a stranger may read. What nobody takes stays in our memory, so
 * a few hundred who ask for much and read nothing would fill it.
 */
export function closeSlowReaders(server: Server): void {
  const readers = new Map<Socket, Reader>()
  server.on('connection', (socket: Socket) => {
    readers.set(socket, { taken: 0, since: performance.now(), queued: new Set() })
    socket.once('close', () => readers.delete(socket))
  })
  server.on('request', ({ socket }, res) => {
    const queued = readers.get(socket)?.queued
    if (res.socket !== null || queued === undefined) return
    queued.add(res)
    res.once('close', () => queued.delete(res))
    if (queued.size > PIPELINED_MAX) socket.destroy()
  })

  const looking = setInterval(() => {
    const now = performance.now()
    const stuck: [Socket, Reader][] = []
    let untaken = 0
    for (const [socket, reader] of readers) {
      const taken = socket.bytesWritten - socket.writableLength
      untaken += untakenBy(socket, reader)
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

function untakenBy(socket: Socket, { queued }: Reader): number {
  let bytes = socket.writableLength
  // One whose turn has come writes to the connection, and is counted there.
  for (const handle of queued) if (handle.socket === null) bytes += handle.writableLength
  return bytes
}

/** What was read in one piece with the request that had its connection cut is not answered, and costs nothing. */
export const ignoreDestroyedSockets: FastPath = {
  matches: ({ socket }) => socket.destroyed,
  handle: () => {},
}
