import { Unavailable } from '../../domain/api-error.ts'
import { type LostRevocation, Revocations } from '../../domain/revocation/revocations.ts'
import type { WrittenBack } from '../../domain/stores/stores.ts'
import type { Context } from '../context.ts'

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
    let recovered = 0
    while (recovered !== replaced && !closed.aborted) {
      const current = replaced
      try {
        const written = await writeBackRevocations(ctx)
        report(ctx.log, written)
        recovered = current
      } catch (error) {
        if (!(error instanceof Unavailable)) {
          ctx.log.error('revocations could not be written back; trying again', error)
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS).unref())
      }
    }
  }

  return () => {
    replaced += 1
    if (running) {
      return
    }
    running = true
    void recover().finally(() => {
      running = false
    })
  }
}

function report(log: Context['log'], { ended, advanced, deleted }: WrittenBack): void {
  if (ended + advanced + deleted === 0) {
    return
  }
  log.warn(
    `the replaced database lacked changes that this process remembers, which it has repeated: ` +
      `${ended} sessions ended, ${advanced} sessions refreshed, ${deleted} resources deleted`,
  )
}

/**
 * After PostgreSQL was replaced by a server that may lack its last changes: writes back the revocations that this process
 * remembers and the table lacks. Otherwise spent refresh tokens and ended sessions would be valid again (docs/storage.md,
 * "After a failover").
 */
export async function writeBackRevocations(
  ctx: Pick<Context, 'stores' | 'revocations' | 'directory' | 'now'>,
): Promise<WrittenBack> {
  ctx.directory.clear()
  const tenantsBefore = ctx.revocations.tenants()
  const stored = new Revocations()
  await ctx.stores.loadRevocations(ctx.now(), (page) => {
    for (const revocation of page) {
      stored.apply(revocation)
    }
  })
  // A pause or a claim that is lost was undone: the database decides. Those since then are not in `tenantsBefore`.
  ctx.revocations.forgetTenants(tenantsBefore, stored)
  const total = { ended: 0, advanced: 0, deleted: 0 }
  for (const batch of inBatches(ctx.revocations.missingIn(stored, ctx.now()))) {
    const { ended, advanced, deleted } = await ctx.stores.writeBack(batch, ctx.now())
    total.ended += ended
    total.advanced += advanced
    total.deleted += deleted
  }
  // It may have been filled from a connection to the former primary, or with a resource that was deleted now.
  ctx.directory.clear()
  return total
}

/** Small transactions: each holds the locks of its sessions. */
const BATCH = 100

function* inBatches(all: Iterable<LostRevocation>): Generator<LostRevocation[]> {
  let batch: LostRevocation[] = []
  for (const each of all) {
    batch.push(each)
    if (batch.length === BATCH) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) {
    yield batch
  }
}
