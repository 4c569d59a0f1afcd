import { randomUUID } from 'node:crypto'
import { open, readFile, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { interrupted, interruption } from '../interruption.ts'

/** An older lock is stale: no locked operation takes this long, and its pid may be reused or of another host. */
const LOCK_MAX_MS = 10 * 60_000
/** Removing a stale lock takes milliseconds. An older `.breaking` file was left by a killed process. */
const BREAKING_MAX_MS = 30_000
const RETRY_MS = 50

interface Holder {
  readonly pid: number
  readonly host: string
  readonly token: string
}

/** Another process holds the lock. `pid` is null when the lock file does not name it. */
export class LockHeldError extends Error {
  readonly pid: number | null

  constructor(pid: number | null) {
    super('the lock is held')
    this.pid = pid
  }
}

/** Runs `work` under an exclusive lock between processes. Throws LockHeldError after `waitMs`. `onWait` is called once. */
export async function withLock<T>(
  file: string,
  waitMs: number,
  work: () => Promise<T>,
  onWait: () => void = () => {},
): Promise<T> {
  const token = randomUUID()
  const deadline = performance.now() + waitMs
  for (let tries = 0; !(await tryLock(file, token)); tries++) {
    if (interruption.aborted) {
      throw interrupted('Nothing was changed.')
    }
    if (performance.now() >= deadline) {
      throw new LockHeldError((await holderOf(file))?.pid ?? null)
    }
    if (tries === 0) {
      onWait()
    }
    await sleep(RETRY_MS)
  }
  try {
    return await work()
  } finally {
    // Another process may have taken over a lock older than ten minutes: remove only our own.
    if ((await holderOf(file))?.token === token) {
      await rm(file, { force: true })
    }
  }
}

async function tryLock(file: string, token: string): Promise<boolean> {
  if (await createExclusively(file, token)) {
    return true
  }
  if (!(await isStale(file))) {
    return false
  }
  // If two processes removed the stale lock, the second would remove the new lock of the first. A second lock prevents it.
  const breaking = `${file}.breaking`
  if (!(await createExclusively(breaking, token))) {
    if ((await ageOf(breaking)) > BREAKING_MAX_MS) {
      await rm(breaking, { force: true })
    }
    return false
  }
  try {
    if (await isStale(file)) {
      await rm(file, { force: true })
    }
    return await createExclusively(file, token)
  } finally {
    await rm(breaking, { force: true })
  }
}

async function createExclusively(file: string, token: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600)
    try {
      await handle.writeFile(
        JSON.stringify({ pid: process.pid, host: hostname(), token } satisfies Holder),
      )
    } finally {
      await handle.close()
    }
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      return false
    }
    throw error
  }
}

async function isStale(file: string): Promise<boolean> {
  const age = await ageOf(file)
  const holder = await holderOf(file)
  // Created but not written yet, or removed in the meantime.
  if (holder === null) {
    return age > BREAKING_MAX_MS
  }
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
    return Number.isInteger(pid) && pid > 0
      ? { pid, host: String(host), token: String(token) }
      : null
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
