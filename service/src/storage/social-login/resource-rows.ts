import type { Selectable } from 'kysely'
import type { Resource } from '../../domain/stores/stores.ts'
import type { Tables } from '../tables.ts'

export const RESOURCE_COLUMNS = ['id', 'tenant_id', 'callback_urls', 'created_at', 'updated_at'] as const

type Row = Pick<Selectable<Tables['resources']>, (typeof RESOURCE_COLUMNS)[number]>

export const resourceFrom = (row: Row): Resource => ({
  id: row.id,
  tenantId: row.tenant_id,
  callbackUrls: JSON.parse(row.callback_urls) as string[],
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** What every statement about something of a resource is given. */
export interface InResource {
  readonly resource: Pick<Resource, 'id' | 'tenantId'>
}
