import { listRemovals, type RemovalRequest } from '@gatehouse/contract'
import type { z } from 'zod'
import type { Project } from '../credentials/project.ts'
import { manage } from './tenants.ts'

export type Removal = z.infer<typeof RemovalRequest>

export const findRemovals = async (project: Project, limit: number): Promise<Removal[]> =>
  (await manage(project, listRemovals, { query: { limit } })).removals
