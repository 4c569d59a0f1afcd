import { bootstrapTenant, createGuestTenant, readStatus as readStatusEndpoint } from '@gatehouse/contract'
import { z } from 'zod'
import type { Project } from '../credentials/read.ts'
import { Problem } from '../problem.ts'
import { type CallOptions, call } from './call.ts'
import { wasNeverSent } from './request.ts'

/**
 * Of a new tenant only the file is read here, and everything else from the file: a field that a younger service adds
 * must not lose the keys of a tenant that has just been created.
 */
const JustTheFile = z.object({ credentials_file: z.object({ content: z.string() }) })

/** The credentials file of a new guest. Never repeated by itself: there is no telling two guests from one (spec, Auth 8). */
export async function createGuest(service: string): Promise<string> {
  const endpoint = { ...createGuestTenant, ok: { status: 201, body: JustTheFile } } as const
  try {
    return (await call(service, endpoint)).credentials_file.content
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'serviceUnreachable' || wasNeverSent(error)) throw error
    throw outcomeUnknown(service, error)
  }
}

/** The credentials file of a tenant that the account owns; the same one for the same key, however often it is asked. */
export async function createOwned(service: string, accessToken: string, idempotencyKey: string): Promise<string> {
  const endpoint = { ...bootstrapTenant, ok: { status: 201, body: JustTheFile } } as const
  const body = { confirmed: true, idempotency_key: idempotencyKey }
  return (await call(service, endpoint, { bearer: accessToken, body })).credentials_file.content
}

export const readStatus = (project: Project) => manage(project, readStatusEndpoint)

/** A call with the tenant's own key, at the service that the key belongs to. */
export const manage = <E extends Parameters<typeof call>[1]>(
  { credentials }: Project,
  endpoint: E,
  options: Omit<CallOptions, 'bearer'> = {},
) => call(credentials.base_url, endpoint, { ...options, bearer: credentials.coh_management_key })

const outcomeUnknown = (service: string, cause: unknown): Problem =>
  new Problem(
    'outcomeUnknown',
    `The connection to ${service} was lost before it answered, so nobody knows whether a guest tenant was created.`,
    {
      cli: 'If one was, it ends by itself within 72 hours. Check the connection; then run gatehouse-local init again if you want to.',
      agent: 'Do not call create_tenant again by yourself: tell the user, and let them decide.',
    },
    { cause },
  )
