import { isProviderName, type ProviderName, providerKind } from '@gatehouse/contract'
import { ApiError, invalidRequest } from '../../../domain/api-error.ts'
import { callbackPath } from '../../../domain/providers/provider.ts'
import { describeProvider, listProviders, setProvider } from '../../../operations/providers/providers.ts'
import { ownerAuthor } from '../../callers/author.ts'
import { readOwnClient } from '../../control/providers.ts'
import type { App, Call, HttpDependencies } from '../../dependencies.ts'
import { scriptedPage } from '../../responses.ts'
import { accountPaths } from '../paths.ts'
import {
  type OwnedProject,
  projectPage,
  projectPost,
  readFrame,
  type StatusMessages,
  statusMessage,
} from '../projects/project-route.ts'
import { clientPage, readClientFields, testFormActions } from './client-page.ts'
import type { RejectedForm } from './form-state.ts'
import { formHandler } from './section.ts'

const MESSAGES: StatusMessages = new Map([
  ['saved', 'Client saved. Press Test sign-in: it’s used after the first success.'],
])

/** In the path of the page that adds an OpenID provider. */
const NEW = 'oidc'

/** The pages with the form of an owner's own client. */
export function clientRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps
  const show = (c: Call, project: OwnedProject, rejected: RejectedForm | null, status: number): Promise<Response> =>
    showClient(deps, c, project, rejected, status)

  projectPage(app, deps, accountPaths.client, (c, project) => show(c, project, null, 200))

  projectPost(
    app,
    deps,
    accountPaths.client,
    formHandler('client', show, async (c, { owner, tenant, form }) => {
      const name = providerOf(c) ?? (await newName(deps, { owner, tenant }, form))
      const client = readOwnClient(name, readClientFields(providerKind(name), form))
      await setProvider(ctx, tenant, name, client, ownerAuthor(c, owner))
      return `${accountPaths.client(tenant.id, name)}?done=saved`
    }),
  )
}

/** null: the provider has no name yet. */
function providerOf(c: Call): ProviderName | null {
  const name = c.req.param('provider') ?? ''
  if (name === NEW) return null
  if (isProviderName(name)) return name
  throw new ApiError('providerNotFound', 'There is no such identity provider.')
}

async function newName(
  { ctx }: HttpDependencies,
  { tenant }: OwnedProject,
  form: URLSearchParams,
): Promise<ProviderName> {
  const name = `oidc-${form.get('name')?.trim()}`
  const reject = (problem: string): never => {
    throw invalidRequest('Nothing was changed.', [{ path: 'name', problem }])
  }
  if (!isProviderName(name)) return reject('Enter 2 to 20 of a-z, 0-9 and “-”.')
  const known = await listProviders(ctx, tenant)
  return known.some((provider) => provider.name === name) ? reject('This project has a provider with this id.') : name
}

async function showClient(
  deps: HttpDependencies,
  c: Call,
  project: OwnedProject,
  rejected: RejectedForm | null,
  status: number,
): Promise<Response> {
  const { ctx } = deps
  const { tenant } = project
  const name = providerOf(c)
  const providers = await listProviders(ctx, tenant)
  const provider =
    name === null ? null : (providers.find((each) => each.name === name) ?? describeProvider(ctx, tenant, name, []))
  const ours = ctx.baseUrl + callbackPath(name ?? 'oidc-<name>', tenant.id)
  const redirectUri = provider?.redirectUri ?? ours
  const html = clientPage(await readFrame(deps, project, statusMessage(c, MESSAGES)), {
    kind: name === null ? 'oidc' : providerKind(name),
    provider,
    redirectUri,
    relay: redirectUri === ours ? null : redirectUri,
    rejected,
  })
  return scriptedPage(c, html, status, testFormActions(providers))
}
