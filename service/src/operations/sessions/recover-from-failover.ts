import type { WrittenBack } from '../../domain/stores/stores.ts'
import { Unavailable } from '../../domain/unavailable.ts'
import type { Context } from '../context.ts'
import { writeBackRevocations } from './write-back-revocations.ts'

const RETRY_AFTER_MS = 1_000

/**
 * Writes back revocations each time the database was replaced, until it succeeds. Replaced again meanwhile, it starts over.
 * Ends when `closed` is aborted.
 */
export function failoverRecovery(
  ctx: Pick<Context, 'stores' | 'revocations' | 'directory' | 'now' | 'log'>,
  closed: AbortSignal,
): () => void {
  let replaced = 0
  let running = false

  const recover = async (): Promise<void> => {
    for (let done = -1; done !== replaced && !closed.aborted; ) {
      const at = replaced
      try {
        report(ctx.log, await writeBackRevocations(ctx))
        done = at
      } catch (error) {
        if (!(error instanceof Unavailable)) ctx.log.error('revocations could not be written back; trying again', error)
        await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS).unref())
      }
    }
  }

  return () => {
    replaced += 1
    if (running) return
    running = true
    void recover().finally(() => {
      running = false
    })
  }
}

function report(log: Context['log'], { ended, advanced, deleted }: WrittenBack): void {
  if (ended + advanced + deleted === 0) return
  log.warn(
    `the replaced database lacked changes that this process remembers, which it has repeated: ` +
      `${ended} sessions ended, ${advanced} sessions refreshed, ${deleted} resources deleted`,
  )
}
