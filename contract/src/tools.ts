import * as z from 'zod'
import { FeedbackText } from './endpoints/feedback.ts'
import {
  ResourceNames,
  ResourceResult,
  SocialLoginConfiguration,
} from './endpoints/social-login.ts'
import { CredentialsFile, TENANT_LIFECYCLES, TenantStatus } from './endpoints/tenants.ts'
import { RuntimeProfileName } from './schemas/query.ts'
import type { Scope } from './wire.ts'

/**
 * How an MCP call is authenticated: `public`, by a management key in its arguments; `oauth`, by an access token;
 * `local`, by the .service file on the agent's machine.
 */
export type CallerKind = 'public' | 'oauth' | 'local'

export interface ToolDefinition {
  readonly name: string
  readonly title: string
  readonly description: string
  /** null: needs no scope. */
  readonly scope: Scope | null
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
  readonly input: Readonly<Record<CallerKind, z.ZodObject>>
  /** Text is returned as it is, without structured content. */
  readonly output: z.ZodObject | z.ZodString
}

/** Keeps the literal type, so that handlers are typed by the schemas: see ToolInput and ToolOutput. */
export const defineTool = <const T extends ToolDefinition>(tool: T): T => tool

/** The arguments of a call, parsed by the schema of its caller kind. */
export type ToolInput<T extends ToolDefinition, C extends CallerKind> = z.infer<T['input'][C]>

/** The return value of a handler, before the output schema parses it. */
export type ToolOutput<T extends ToolDefinition> = z.input<T['output']>

const CONFIRMED = 'Send true, and only when the user explicitly authorized exactly this action.'
const confirmed = z.literal(true, CONFIRMED).describe(CONFIRMED)

const tenant_id = z.string().min(1).max(64).describe('tenant_id from the .service file.')

/** Write-only: no output or error contains it. */
const coh_management_key = z
  .string()
  .min(1)
  .max(200)
  .meta({ writeOnly: true })
  .describe('coh_management_key from the .service file. Never an application key.')

const project_root = z
  .string()
  .min(1)
  .max(4_096)
  .describe('Absolute path of the project that has the .service file.')

export const IdempotencyKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{8,128}$/, 'Send 8 to 128 letters, digits, "-" or "_".')
  .describe('Your own name for this creation. Repeating the key returns the same tenant.')

const withKey = { tenant_id, coh_management_key }

const noInput = z.strictObject({})

export const getServiceDocumentation = defineTool({
  name: 'get_service_documentation',
  title: 'Read the documentation',
  description:
    'How to add "Sign in with Google" to an app with this service: the calls, the callback, sessions, limits, errors. Read it first. Takes no arguments.',
  scope: null,
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  // Takes no input and ignores any (decision 12).
  input: { public: noInput, oauth: noInput, local: noInput },
  // Markdown, once: a JSON string of it would double the tokens and hide its lines.
  output: z.string(),
})

const newTenant = {
  tenant_id: z.string(),
  status: z.enum(TENANT_LIFECYCLES),
  expires_at: z.iso.datetime().nullable(),
  tenant_lifecycle: z.enum(TENANT_LIFECYCLES),
  runtime_profile: RuntimeProfileName,
  base_url: z.string(),
}

export const createTenant = defineTool({
  name: 'create_tenant',
  title: 'Create a tenant',
  description:
    'Creates a tenant and returns its credentials file. Write credentials_file.content verbatim to .service in the project root with mode 0600, add .service to .gitignore first, and never overwrite the file of another tenant. Without sign-in the tenant is a guest that expires after 72 hours; do not retry when the outcome is unclear.',
  scope: 'mcp:tenants:create',
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
  input: {
    public: z.strictObject({ confirmed }),
    oauth: z.strictObject({ confirmed, idempotency_key: IdempotencyKey }),
    local: z.strictObject({ confirmed, project_root }),
  },
  output: z.strictObject({
    ...newTenant,
    credentials_file: CredentialsFile.optional(),
    credentials_download_url: z.string().optional(),
  }),
})

export const claimTenant = defineTool({
  name: 'claim_tenant',
  title: 'Ask the user to take ownership',
  description:
    'Returns a link for the user to open. They sign in and approve; then the tenant no longer expires. A new link invalidates the previous one.',
  scope: 'mcp:tenants:create',
  // Not idempotent: each call invalidates the previous link.
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
  input: {
    public: z.strictObject({ confirmed, ...withKey }),
    oauth: z.strictObject({ confirmed, tenant_id }),
    local: z.strictObject({ confirmed, project_root }),
  },
  // Only the URL (spec, MCP tools): the wait token of requestClaim is a credential and does not belong in a conversation.
  output: z.strictObject({ approval_url: z.string() }),
})

export const tenantStatus = defineTool({
  name: 'tenant_status',
  title: 'Read the status',
  description:
    'Status, time left, provisioned resources, usage against limits, and the limit that will be reached next.',
  scope: 'mcp:tenant:read',
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  input: {
    public: z.strictObject(withKey),
    oauth: z.strictObject({ tenant_id }),
    local: z.strictObject({ project_root }),
  },
  output: TenantStatus,
})

const socialLogin = z.literal('social-login')

/** Either one resource with its configuration, or lists of both. */
const provisioning = {
  confirmed,
  resource: socialLogin.optional(),
  configuration: SocialLoginConfiguration.optional(),
  resources: ResourceNames.optional(),
  configurations: z.strictObject({ 'social-login': SocialLoginConfiguration }).optional(),
}

export const provisionResource = defineTool({
  name: 'provision_resource',
  title: 'Provision social login',
  description:
    'Registers the callback URLs that users return to after signing in, and returns the login link (with an adapter of the SDK, link to /login of the app instead). Replaces the whole list: send every URL that should stay. Send resource + configuration, or resources + configurations.',
  scope: 'mcp:resources:write',
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  input: {
    public: z.strictObject({ ...provisioning, ...withKey }),
    oauth: z.strictObject({ ...provisioning, tenant_id }),
    local: z.strictObject({ ...provisioning, project_root }),
  },
  output: z.strictObject({ resources: z.array(ResourceResult) }),
})

export const giveFeedback = defineTool({
  name: 'give_feedback',
  title: 'Give feedback',
  description: 'Sends feedback to the operator. Also works while the tenant is paused.',
  scope: 'mcp:feedback:write',
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
  input: {
    public: z.strictObject({ ...withKey, feedback: FeedbackText }),
    oauth: z.strictObject({ tenant_id, feedback: FeedbackText }),
    local: z.strictObject({ project_root, feedback: FeedbackText }),
  },
  output: z.strictObject({ success: z.literal(true) }),
})

const EVERY_TOOL = [
  getServiceDocumentation,
  createTenant,
  claimTenant,
  tenantStatus,
  provisionResource,
  giveFeedback,
] as const

export type ToolName = (typeof EVERY_TOOL)[number]['name']

/** The MCP tools (spec, MCP tools), in the order they are listed. */
export const TOOLS: readonly (ToolDefinition & { readonly name: ToolName })[] = EVERY_TOOL

export const TOOL_NAMES: readonly ToolName[] = EVERY_TOOL.map(({ name }) => name)
