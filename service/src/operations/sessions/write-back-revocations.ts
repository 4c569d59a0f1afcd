import { type LostRevocation, Revocations } from '../../domain/revocation/revocations.ts'
import type { WrittenBack } from '../../domain/stores/stores.ts'
import type { Context } from '../context.ts'

/** Small transactions: each holds the locks of its sessions. */
const BATCH = 100

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
    for (const revocation of page) stored.apply(revocation)
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

function* inBatches(all: Iterable<LostRevocation>): Generator<LostRevocation[]> {
  let batch: LostRevocation[] = []
  for (const each of all) {
    batch.push(each)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
