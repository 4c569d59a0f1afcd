import { bootstrapTenant, createGuestTenant, readStatus as readStatusEndpoint } from '@gatehouse/contract'
import { z } from 'zod'
import type { Project } from '../credentials/project.ts'
import { interrupted } from '../interruption.ts'
import { commandLine } from '../invocation.ts'
import { nextStep, Problem } from '../problem.ts'
import { type CallOptions, call } from './call.ts'
import { wasNeverSent } from './request.ts'

/**
 * Parses only the credentials file of a creation: a field that a newer service adds must not lose the keys of the new
 * tenant.
 */
const CredentialsFileOnly = z.object({ credentials_file: z.object({ content: z.string() }) })

/** The credentials file of a new guest. Never retried: a guest creation has no idempotency key (spec, Auth 8). */
export async function createGuest(service: string): Promise<string> {
  const endpoint = { ...createGuestTenant, ok: { status: 201, body: CredentialsFileOnly } } as const
  try {
    return (await call(service, endpoint)).credentials_file.content
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'interrupted') {
      const message = 'Interrupted before the service responded. A guest tenant may have been created.'
      throw interrupted(`If so, it ends within 72 hours. For another one, run: ${commandLine('init')}`, message)
    }
    throw error.code === 'serviceUnreachable' && !wasNeverSent(error) ? outcomeUnknown(service, error) : error
  }
}

/** The credentials file of a tenant that the account owns. The same idempotency key returns the same tenant. */
export async function createOwned(service: string, accessToken: string, idempotencyKey: string): Promise<string> {
  const endpoint = { ...bootstrapTenant, ok: { status: 201, body: CredentialsFileOnly } } as const
  const body = { confirmed: true, idempotency_key: idempotencyKey }
  return (await call(service, endpoint, { bearer: accessToken, body })).credentials_file.content
}

export async function readStatus(project: Project) {
  const status = await manage(project, readStatusEndpoint)
  const { tenant_id } = project.credentials
  if (status.tenant_id === tenant_id) return status
  // The app would send its users to the tenant of `tenant_id`, and these commands would set up the other one.
  throw new Problem(
    'credentialsForeign',
    `The key in ${project.path} belongs to tenant ${status.tenant_id}, but its tenant_id is ${tenant_id}.`,
    nextStep('Restore the file as the service wrote it: the lines of two tenants are mixed.'),
  )
}

/** A call with the tenant's management key, to the `base_url` of its credentials file. */
export const manage = <E extends Parameters<typeof call>[1]>(
  { credentials }: Project,
  endpoint: E,
  options: Omit<CallOptions, 'bearer'> = {},
) => call(credentials.base_url, endpoint, { ...options, bearer: credentials.coh_management_key })

const outcomeUnknown = (service: string, cause: unknown): Problem =>
  new Problem(
    'outcomeUnknown',
    `The connection to ${service} was lost before it responded. A guest tenant may have been created.`,
    {
      cli: `If so, it ends within 72 hours. Check the connection, then run it again: ${commandLine('init')}`,
      agent: 'Do not repeat create_tenant on your own: tell the user, and let them decide.',
    },
    { cause },
  )
