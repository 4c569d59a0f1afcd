import { randomUUID } from 'node:crypto'
import { open, readFile, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** Nothing that is done under a lock takes this long. Its process may be on another machine, or its number reused. */
const LOCK_MAX_MS = 10 * 60_000
/** Breaking a stale lock takes milliseconds; whoever was killed while doing so is not waited for. */
const BREAKING_MS = 30_000
const RETRY_MS = 50

interface Holder {
  readonly pid: number
  readonly host: string
  readonly token: string
}

/** Whoever holds the lock instead, if they said so. */
export class Busy extends Error {
  readonly pid: number | null

  constructor(pid: number | null) {
    super('busy')
    this.pid = pid
  }
}

/** Runs `work` while no other process does, or throws Busy once `waitMs` have passed. */
export async function withLock<T>(file: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const token = randomUUID()
  for (const deadline = performance.now() + waitMs; !(await taken(file, token)); await sleep(RETRY_MS)) {
    if (performance.now() >= deadline) throw new Busy((await holderOf(file))?.pid ?? null)
  }
  try {
    return await work()
  } finally {
    // Only our own: after ten minutes of standstill it may have become somebody else's.
    if ((await holderOf(file))?.token === token) await rm(file, { force: true })
  }
}

async function taken(file: string, token: string): Promise<boolean> {
  if (await created(file, token)) return true
  if (!(await isStale(file))) return false
  // Two who find it stale must not both remove it: the second would remove the lock of the first. So they take turns.
  const breaking = `${file}.breaking`
  if (!(await created(breaking, token))) {
    if ((await ageOf(breaking)) > BREAKING_MS) await rm(breaking, { force: true })
    return false
  }
  try {
    if (await isStale(file)) await rm(file, { force: true })
    return await created(file, token)
  } finally {
    await rm(breaking, { force: true })
  }
}

async function created(file: string, token: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600)
    try {
      await handle.writeFile(JSON.stringify({ pid: process.pid, host: hostname(), token } satisfies Holder))
    } finally {
      await handle.close()
    }
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function isStale(file: string): Promise<boolean> {
  const age = await ageOf(file)
  const holder = await holderOf(file)
  // Just created and not yet written, or just removed.
  if (holder === null) return age > BREAKING_MS
  return age > LOCK_MAX_MS || (holder.host === hostname() && !isAlive(holder.pid))
}

const ageOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  )

async function holderOf(file: string): Promise<Holder | null> {
  try {
    const { pid, host, token } = JSON.parse(await readFile(file, 'utf8'))
    return Number.isInteger(pid) && pid > 0 ? { pid, host: String(host), token: String(token) } : null
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It is there, and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
