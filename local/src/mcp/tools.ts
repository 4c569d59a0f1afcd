import {
  claimTenant as claimTenantDefinition,
  createTenant as createTenantDefinition,
  getServiceDocumentation as getServiceDocumentationDefinition,
  giveFeedback as giveFeedbackDefinition,
  provisionResource as provisionResourceDefinition,
  TENANT_LIFECYCLES,
  TENANT_STATUSES,
  type ToolDefinition,
  type ToolInput,
  type ToolName,
  tenantStatus as tenantStatusDefinition,
} from '@gatehouse-auth/contract'
import { z } from 'zod'
import { acceptsCodesOnly, describeLoginLink } from '../api/login-link.ts'
import {
  type Configuration,
  leaveFeedback,
  newerTools,
  provision,
  readDocumentation,
  readStatus,
  requestClaim,
} from '../api/tenants.ts'
import { requireProjectRoot } from '../credentials/paths.ts'
import { readProject } from '../credentials/project.ts'
import { commandLine } from '../invocation.ts'
import { nextStep, Problem } from '../problem.ts'
import { accountOrGuest, createTenant as create } from '../project/create-tenant.ts'
import { findAppLogin } from '../recipes/app-login.ts'

/** The options of the mcp command. */
export interface ServerOptions {
  /** The service for new tenants and for the documentation. Other tools use base_url of the .service file. */
  readonly service: string
  readonly serviceIsExplicit: boolean
}

/** A tool of the local server. */
export interface Tool {
  readonly definition: ToolDefinition
  readonly description: string
  readonly output: ToolDefinition['output']
  /** `input` has passed the local input schema. The result is parsed by `output`. */
  run(options: ServerOptions, input: unknown): Promise<unknown>
}

interface Implementation<D extends ToolDefinition, O extends ToolDefinition['output']> {
  readonly definition: D
  /** Replaces the contract's description, if the local tool behaves differently. */
  readonly description?: string
  /** Replaces the contract's output schema. */
  readonly output?: O
  run(options: ServerOptions, input: ToolInput<D, 'local'>): Promise<z.input<O>>
}

/** The contract types the handler. The cast is safe because `callTool` parses `input` by the same schema. */
export const implementTool = <
  D extends ToolDefinition,
  O extends ToolDefinition['output'] = D['output'],
>(
  tool: Implementation<D, O>,
): Tool => ({
  definition: tool.definition,
  description: tool.description ?? tool.definition.description,
  output: tool.output ?? tool.definition.output,
  run: (options, input) => tool.run(options, input as ToolInput<D, 'local'>),
})

const createTenant = implementTool({
  definition: createTenantDefinition,
  description:
    'Creates a tenant for the project and writes its credentials to .service in project_root (mode 0600, gitignored first); returns the path, never the keys. Also writes GATEHOUSE_SECRET of the app, which the recipes read, to .service.secret. A project that already has a tenant keeps it. If the user is signed in on this machine, their account owns the tenant; otherwise it is a guest that ends after 72 hours, and a call whose outcome is unknown must not be repeated.',
  output: z.strictObject({
    tenant_id: z.string(),
    status: z.enum(TENANT_STATUSES),
    expires_at: z.iso.datetime().nullable(),
    tenant_lifecycle: z.enum(TENANT_LIFECYCLES),
    runtime_profile: z.string(),
    base_url: z.string(),
    credentials_path: z
      .string()
      .describe('The path of the credentials file. Do not print its content.'),
    secret_path: z
      .string()
      .describe('The path of the file with GATEHOUSE_SECRET of the app. Do not print its content.'),
    reused: z
      .boolean()
      .describe('True if the project already had this tenant; nothing was created.'),
  }),
  async run({ service, serviceIsExplicit }, { project_root }) {
    const root = await requireProjectRoot(project_root)
    return create({ root, service, serviceIsExplicit, creator: () => accountOrGuest(service) })
  },
})

/** Returns the approval link without the wait token (spec, MCP tools, rule 2). */
const claimTenant = implementTool({
  definition: claimTenantDefinition,
  async run(_options, { project_root }) {
    const project = await readProject(await requireProjectRoot(project_root))
    const { approval_url } = await requestClaim(project)
    return { approval_url }
  },
})

type Input = ToolInput<typeof provisionResourceDefinition, 'local'>

const provisionResource = implementTool({
  definition: provisionResourceDefinition,
  description: `${provisionResourceDefinition.description} If the project has the SDK or a recipe, app_login_urls has the /login of the app on each origin: link to that.`,
  output: provisionResourceDefinition.output.extend({
    app_login_urls: z
      .array(z.string())
      .optional()
      .describe(
        '/login of the app, which the app handles: link to it instead of login_url, with which users sign in twice. Empty for an SPA, whose pages call session.login(), and if every callback of a site has a wildcard: then link to /login of the app, too.',
      ),
  }),
  async run(_options, input) {
    const configuration = readConfiguration(input)
    const project = await readProject(await requireProjectRoot(input.project_root))
    const resource = await provision(project, configuration)
    const login = await findAppLogin(project.root, resource.callback_urls)
    const { refused } = describeLoginLink(
      project,
      resource.callback_urls,
      await acceptsCodesOnly(project),
    )
    const warnings = [resource.warnings ?? [], refused ?? []].flat()
    const warned = warnings.length === 0 ? resource : { ...resource, warnings }
    return { resources: [warned], ...(login === null ? {} : { app_login_urls: [...login.urls] }) }
  },
})

/** Accepts either the single form or the bulk form, complete. */
function readConfiguration({
  resource,
  configuration,
  resources,
  configurations,
}: Input): Configuration {
  const given = [resource, configuration, resources, configurations].filter(
    (part) => part !== undefined,
  )
  if (given.length === 2 && resource !== undefined && configuration !== undefined) {
    return configuration
  }
  if (given.length === 2 && resources !== undefined && configurations !== undefined) {
    return configurations['social-login']
  }
  throw new Problem(
    'invalidRequest',
    'The arguments match neither form of this tool. Nothing was changed.',
    nextStep(
      'Send resource with configuration, or resources with configurations: both parts of one, none of the other.',
    ),
  )
}

const tenantStatus = implementTool({
  definition: tenantStatusDefinition,
  async run(_options, { project_root }) {
    return readStatus(await readProject(await requireProjectRoot(project_root)))
  },
})

/** The differences of the local server, in front of the hosted guide. */
const localDifferences =
  (): string => `This is the local MCP server, on the user's own machine. It differs from the guide below:

- Every other tool takes \`project_root\`, the absolute path of the project, and reads \`tenant_id\` and the key from its \`.service\` file: you never send or see a key.
- \`create_tenant\` writes \`.service\` itself and returns the path. A project that already has a tenant keeps it. It also writes \`GATEHOUSE_SECRET\` of the app to \`.service.secret\`, which the recipes read.
- After \`${commandLine('init --account')}\` the user's account owns the tenants that \`create_tenant\` creates.

`

const getServiceDocumentation = implementTool({
  definition: getServiceDocumentationDefinition,
  async run({ service }) {
    const newer = await newerTools(service)
    const note = newer === null ? '' : `${newer.message} Tell the user. ${newer.fix} mcp\n\n`
    return note + localDifferences() + (await readDocumentation(service))
  },
})

const giveFeedback = implementTool({
  definition: giveFeedbackDefinition,
  async run(_options, { project_root, feedback }) {
    return leaveFeedback(await readProject(await requireProjectRoot(project_root)), feedback)
  },
})

/** The type requires exactly the tools of the contract. */
export const TOOLS_BY_NAME: Readonly<Record<ToolName, Tool>> = {
  get_service_documentation: getServiceDocumentation,
  create_tenant: createTenant,
  claim_tenant: claimTenant,
  tenant_status: tenantStatus,
  provision_resource: provisionResource,
  give_feedback: giveFeedback,
}

export const findTool = (name: string): Tool | undefined =>
  Object.hasOwn(TOOLS_BY_NAME, name) ? TOOLS_BY_NAME[name as ToolName] : undefined
