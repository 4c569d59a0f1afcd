import type { NewAction, RecordedAction } from '../audit/action.ts'
import type { TenantId } from '../ids.ts'
import type { Instant } from '../time.ts'

/** The management actions on a tenant. */
export interface AuditStore {
  /** `id` comes from the tenant's counter of audit ids. Deletes the action that is `kept` older. */
  append(id: number, action: NewAction, kept: number): Promise<void>
  /** Ascending id, strictly after `after`. */
  page(tenantId: TenantId, after: number, limit: number): Promise<RecordedAction[]>
  /** The newest first. */
  recent(tenantId: TenantId, limit: number): Promise<RecordedAction[]>
  /** Deletes up to `limit` actions before this time and returns how many. */
  sweep(before: Instant, limit: number): Promise<number>
}
