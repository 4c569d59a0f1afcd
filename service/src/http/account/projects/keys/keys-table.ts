import { SECRET_PREFIXES } from '@gatehouse/contract'
import type { TenantKey } from '../../../../domain/stores/stores.ts'
import { KEY_USE_EVERY_MS } from '../../../../operations/write-behind.ts'
import { type Html, html } from '../../../pages/markup.ts'
import { heading, scrollTable } from '../../../pages/scroll-table.ts'
import { relativeTime, timestamp } from '../../../pages/time.ts'

const KINDS = {
  management: { label: 'Management key', prefix: SECRET_PREFIXES.managementKey },
  application: { label: 'Application key', prefix: SECRET_PREFIXES.applicationKey },
} as const

/** The keys that work now. They have no names: the kind and the id, which the audit names too, tell them apart. */
export const keysTable = (keys: readonly TenantKey[], now: number): Html =>
  scrollTable({
    caption: 'Uses are recorded once an hour',
    label: 'Keys',
    head: ['Key', 'Created', 'Last used'].map(heading),
    rows: keys.map(
      (key) => html`<tr>
        <td class="who">${KINDS[key.kind].label} ${state(key)} <span class="address">${about(key, now)}</span></td>
        <td>${timestamp(key.createdAt, now)}</td>
        <td>${lastUse(key, now)}</td>
      </tr>`,
    ),
  })

const state = ({ expiresAt }: TenantKey): Html =>
  expiresAt === null ? html`<span class="badge ok">Active</span>` : html`<span class="badge warn">Replaced</span>`

function about({ id, kind, expiresAt, issuedToOwner }: TenantKey, now: number): Html {
  const end = expiresAt !== null && `, stops working ${relativeTime(expiresAt, now)}`
  return html`<code>${KINDS[kind].prefix}…</code>, id <code>${id}</code>${end}${!issuedToOwner && ', from before your claim'}`
}

const lastUse = ({ lastUsedAt }: TenantKey, now: number): Html => {
  if (lastUsedAt === null) return html`Never`
  return lastUsedAt > now - KEY_USE_EVERY_MS ? html`In the last hour` : timestamp(lastUsedAt, now)
}
