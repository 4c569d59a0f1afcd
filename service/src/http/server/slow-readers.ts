import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastPath } from './server.ts'

/** Close a connection that has unread response bytes and reads none for this long. */
const READ_TIMEOUT_MS = 30_000
/** Above this many unread bytes in total, close every connection that has read nothing since the last check. */
const UNREAD_MAX_BYTES = 16 * 1_024 * 1_024
const CHECK_INTERVAL_MS = 1_000
/** Requests sent ahead of the responses to earlier ones. Clients that pipeline at all send a few. */
const PIPELINED_MAX = 16

interface Reader {
  /** Bytes that the client had read at the last check. */
  read: number
  /** When `read` last grew, or when nothing was left to read. */
  since: number
  /** Responses to pipelined requests. They have no socket yet, so `socket.writableLength` does not include them. */
  readonly queued: Set<ServerResponse>
}

/** Bounds the memory that unread responses occupy: without it, clients that request much and read nothing would fill it. */
export function closeSlowReaders(server: Server): void {
  const readers = new Map<Socket, Reader>()
  server.on('connection', (socket: Socket) => {
    readers.set(socket, { read: 0, since: performance.now(), queued: new Set() })
    socket.once('close', () => readers.delete(socket))
  })
  server.on('request', ({ socket }, res) => {
    const queued = readers.get(socket)?.queued
    if (res.socket !== null || queued === undefined) {
      return
    }
    queued.add(res)
    res.once('close', () => queued.delete(res))
    if (queued.size > PIPELINED_MAX) {
      socket.destroy()
    }
  })

  const check = setInterval(() => {
    const now = performance.now()
    const stuck: [Socket, Reader][] = []
    let unread = 0
    for (const [socket, reader] of readers) {
      const read = socket.bytesWritten - socket.writableLength
      unread += unreadBytes(socket, reader)
      if (socket.writableLength > 0 && read === reader.read) {
        stuck.push([socket, reader])
      } else {
        Object.assign(reader, { read, since: now })
      }
    }
    for (const [socket, { since }] of stuck) {
      if (unread > UNREAD_MAX_BYTES || now - since > READ_TIMEOUT_MS) {
        socket.destroy()
      }
    }
  }, CHECK_INTERVAL_MS)
  check.unref()
  server.once('close', () => clearInterval(check))
}

function unreadBytes(socket: Socket, { queued }: Reader): number {
  let bytes = socket.writableLength
  // A queued response whose turn has come writes to the socket, which already counts it.
  for (const response of queued) {
    if (response.socket === null) {
      bytes += response.writableLength
    }
  }
  return bytes
}

/** Drops pipelined requests that Node parsed from the same chunk after their connection was destroyed. */
export const ignoreDestroyedSockets: FastPath = {
  matches: ({ socket }) => socket.destroyed,
  handle: () => {},
}
