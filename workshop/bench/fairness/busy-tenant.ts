import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Refreshable } from '../load/workloads/refresh.ts'
import { KeptConnection } from './kept-connection.ts'

// One tenant with a lot of traffic, in a separate process. Arguments: the file with its load, and the port. Its parent sends
// `prepare` and `go`; the response to `go` is the number of responses by status.

export interface BusyTenant {
  /** All at once, one connection each. */
  readonly refreshes: readonly Refreshable[]
  /** The login link of an open-loop load: so many a second, for so long. */
  readonly starts: {
    readonly path: string
    readonly perSecond: number
    readonly seconds: number
  } | null
}

/** Connections opened at a time: more would overflow the backlog of the server's socket. */
const OPENED_AT_ONCE = 100

const [, , file = '', port = ''] = process.argv
const { refreshes, starts } = JSON.parse(readFileSync(file, 'utf8')) as BusyTenant
const connections: KeptConnection[] = []
const statuses: Record<string, number> = {}
const count = ({ status }: { readonly status: number }): void => {
  statuses[status] = (statuses[status] ?? 0) + 1
}

async function prepare(): Promise<void> {
  while (connections.length < refreshes.length) {
    const some = Array.from({ length: OPENED_AT_ONCE }, () => new KeptConnection(Number(port)))
    // A request, because the service closes a connection that sends none for ten seconds.
    await Promise.all(
      some.map((connection) => connection.send({ method: 'GET', path: '/healthz' })),
    )
    connections.push(...some)
  }
}

async function refreshAtOnce(): Promise<void> {
  await Promise.all(
    refreshes.map(async ({ path, refreshToken }, index) => {
      const body = JSON.stringify({ refresh_token: refreshToken })
      const headers = { 'Content-Type': 'application/json' }
      count(
        (await connections[index]?.send({ method: 'POST', path, headers, body })) ?? { status: 0 },
      )
    }),
  )
}

async function startLogins({
  path,
  perSecond,
  seconds,
}: NonNullable<BusyTenant['starts']>): Promise<void> {
  const began = performance.now()
  const sent: Promise<void>[] = []
  const free: KeptConnection[] = []
  for (let number = 0; number < perSecond * seconds; number++) {
    const wait = began + (number * 1_000) / perSecond - performance.now()
    if (wait > 1) {
      await sleep(wait)
    }
    const connection = free.pop() ?? new KeptConnection(Number(port))
    // Of many visitors: one address may start 600 logins a minute.
    const address = `203.0.${(number >> 8) % 256}.${number % 256}`
    const request = connection.send({
      method: 'GET',
      path,
      headers: { 'X-Forwarded-For': address },
    })
    sent.push(request.then(count).finally(() => free.push(connection)))
  }
  await Promise.all(sent)
}

process.on('message', async (message: 'prepare' | 'go') => {
  if (message === 'prepare') {
    await prepare()
  } else {
    // It shares a core with the process that measures, which must not wait for this one.
    setPriority(19)
    await (starts === null ? refreshAtOnce() : startLogins(starts))
  }
  process.send?.(statuses)
  if (message === 'go') {
    process.exit()
  }
})
process.send?.('ready')
