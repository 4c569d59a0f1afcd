import { AUDIT_PAGE_MAX, type AuditEntry, listAudit } from '@gatehouse/contract'
import type { z } from 'zod'
import type { Project } from '../credentials/project.ts'
import { manage } from './tenants.ts'

export type Action = z.infer<typeof AuditEntry>

/** The newest `count` actions, oldest first. The service keeps 10,000: at most 21 requests. */
export async function newestActions(project: Project, count: number): Promise<Action[]> {
  let newest: Action[] = []
  for (let after = 0; ; ) {
    const { actions } = await manage(project, listAudit, { query: { after, limit: AUDIT_PAGE_MAX } })
    newest = [...newest, ...actions].slice(-count)
    const last = actions.at(-1)
    if (last === undefined || actions.length < AUDIT_PAGE_MAX) return newest
    after = last.id
  }
}
