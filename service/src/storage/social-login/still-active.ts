import { type RawBuilder, sql } from 'kysely'
import type { Resource } from '../../domain/stores/stores.ts'

/**
 * Whoever reads a long list holds a resource that may be deleted meanwhile. Its rows go away in chunks, but nobody may
 * see them from the moment of the mark (docs/storage.md), so what shows data to people asks again.
 *
 * It names the tenant too, and pages leave it at that. A second `tenant_id = ?` beside `resource_id = ?` says nothing
 * new, but PostgreSQL takes the two for independent, expects next to nothing, and sorts all that a large tenant has for
 * every page of it (bench/growth).
 */
export const stillActive = ({ id, tenantId }: Resource): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from resources where resources.id = ${id} and resources.tenant_id = ${tenantId} and resources.status = 'active')`
