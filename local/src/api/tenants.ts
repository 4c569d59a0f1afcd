import {
  bootstrapTenant,
  createGuestTenant,
  LONG_POLL_MAX_SECONDS,
  leaveFeedback as leaveFeedbackEndpoint,
  listResources,
  provisionSocialLogin,
  readStatus as readStatusEndpoint,
  requestClaim as requestClaimEndpoint,
  getServiceDocumentation as tool,
  waitForClaim,
} from '@gatehouse-auth/contract'
import { z } from 'zod'
import type { Project } from '../credentials/project.ts'
import { interrupted } from '../interruption.ts'
import { commandLine, programFrom, VERSION } from '../invocation.ts'
import { parseJson } from '../json.ts'
import { nextStep, Problem } from '../problem.ts'
import { type CallOptions, call } from './call.ts'
import { notGatehouse, request, wasNeverSent } from './request.ts'

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
    if (!(error instanceof Problem)) {
      throw error
    }
    if (error.code === 'interrupted') {
      const message =
        'Interrupted before the service responded. A guest tenant may have been created.'
      throw interrupted(
        `If so, it ends within 72 hours. For another one, run: ${commandLine('init')}`,
        message,
      )
    }
    throw error.code === 'serviceUnreachable' && !wasNeverSent(error)
      ? outcomeUnknown(service, error)
      : error
  }
}

/** The credentials file of a tenant that the account owns. The same idempotency key returns the same tenant. */
export async function createOwned(
  service: string,
  accessToken: string,
  idempotencyKey: string,
): Promise<string> {
  const endpoint = { ...bootstrapTenant, ok: { status: 201, body: CredentialsFileOnly } } as const
  const body = { confirmed: true, idempotency_key: idempotencyKey }
  return (await call(service, endpoint, { bearer: accessToken, body })).credentials_file.content
}

export async function readStatus(project: Project) {
  const status = await manage(project, readStatusEndpoint)
  const { tenant_id } = project.credentials
  if (status.tenant_id === tenant_id) {
    return status
  }
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

/** The line of .service that an app gives to its OpenID library as client secret. */
export const CLIENT_SECRET_FIELD: keyof Project['credentials'] = 'coh_application_key'

/** True if this text, such as a page of the app, has a key of the project. */
export const hasKey = ({ credentials }: Project, text: string): boolean =>
  [credentials.coh_management_key, credentials.coh_application_key].some((key) =>
    text.includes(key),
  )

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

export const requestClaim = (project: Project) => manage(project, requestClaimEndpoint)

/** Long poll: resolves with the decision, or with `pending` when the poll times out. */
export const pollDecision = (project: Project, waitToken: string) =>
  call(project.credentials.base_url, waitForClaim, {
    bearer: waitToken,
    query: { timeout: LONG_POLL_MAX_SECONDS },
    extraTimeoutMs: LONG_POLL_MAX_SECONDS * 1_000,
  })

export const leaveFeedback = (project: Project, feedback: string) =>
  manage(project, leaveFeedbackEndpoint, { body: { feedback } })

export interface Configuration {
  readonly callback_urls?: readonly string[] | undefined
  readonly callback_url?: string | undefined
}

/** Replaces the whole list of callback URLs. */
export async function provision(project: Project, configuration: Configuration) {
  const provisioned = await manage(project, provisionSocialLogin, { body: configuration })
  return { resource: 'social-login', status: 'active', ...provisioned } as const
}

const Packages = z.object({
  packages: z.array(z.object({ name: z.string(), version: z.string(), url: z.string() })),
})

async function offeredPackage(service: string, tools: 'sdk' | 'local') {
  const { text } = await request(service, 'GET', '/packages')
  const { data } = Packages.safeParse(parseJson(text))
  return data?.packages.find(({ name }) => name === `@gatehouse-auth/${tools}`)
}

/** The SDK of this service, in its current version. */
export const sdkPackageUrl = async (service: string): Promise<string> =>
  (await offeredPackage(service, 'sdk'))?.url ?? `${service}/packages/sdk.tgz`

/**
 * The sentence about newer tools of this service and the command that runs them; null: there are none, or the service can't
 * be asked. npx runs the newest, except where the package is installed.
 */
export async function newerTools(
  service: string,
): Promise<{ message: string; fix: string } | null> {
  const { version = '' } = (await offeredPackage(service, 'local').catch(() => undefined)) ?? {}
  if (!isNewer(version, VERSION)) {
    return null
  }
  return {
    message: `The service has newer tools: ${version}. These are ${VERSION}.`,
    fix: `Run them by their version: ${programFrom(service)}@${version}`,
  }
}

/** Compares versions of the form `major.minor.patch`. */
const isNewer = (version: string, than: string): boolean =>
  /^\d+\.\d+\.\d+$/.test(version) && version.localeCompare(than, 'en', { numeric: true }) > 0

/** null: social login is not set up yet. */
export async function readSocialLogin(project: Project) {
  const { resources } = await manage(project, listResources)
  return resources.find(({ resource }) => resource === 'social-login') ?? null
}

const Result = z.object({
  result: z.object({ content: z.tuple([z.object({ text: tool.output })]) }),
})

/** The agent guide, from the hosted MCP server, so that there is one copy of it. */
export async function readDocumentation(service: string): Promise<string> {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: tool.name, arguments: {} },
  }
  const response = await request(service, 'POST', '/mcp', {
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify(body),
  })
  const read = Result.safeParse(parseJson(response.text))
  if (!read.success) {
    throw notGatehouse(service, response.status)
  }
  return read.data.result.content[0].text
}
