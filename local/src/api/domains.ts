import {
  addDomain as addDomainEndpoint,
  checkDomain as checkDomainEndpoint,
  type DomainCheck as DomainCheckSchema,
  type Domain as DomainSchema,
  deleteDomain,
  listDomains,
} from '@gatehouse/contract'
import type { z } from 'zod'
import type { Project } from '../credentials/project.ts'
import { manage } from './tenants.ts'

export type Domain = z.infer<typeof DomainSchema>
export type DomainCheck = z.infer<typeof DomainCheckSchema>

/** The service waits for the DNS and for the host. */
const CHECK_TIMEOUT_MS = 15_000

export const findDomains = async (project: Project): Promise<Domain[]> => (await manage(project, listDomains)).domains

export const addDomain = async (project: Project, host: string): Promise<Domain> =>
  (await manage(project, addDomainEndpoint, { body: { host } })).domain

export const checkDomain = (project: Project, host: string): Promise<DomainCheck> =>
  manage(project, checkDomainEndpoint, { params: { host }, extraTimeoutMs: CHECK_TIMEOUT_MS })

export const removeDomain = (project: Project, host: string) => manage(project, deleteDomain, { params: { host } })
