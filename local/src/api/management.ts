import {
  AUDIT_PAGE_MAX,
  type AuditEntry,
  addDomain as addDomainEndpoint,
  type Brand as BrandSchema,
  type BrandSettings,
  blockUser,
  type Claims,
  changeSettings,
  changeWebhook as changeWebhookEndpoint,
  checkDomain as checkDomainEndpoint,
  createInvitation as createInvitationEndpoint,
  createWebhook,
  type DomainCheck as DomainCheckSchema,
  type Domain as DomainSchema,
  deleteBrand,
  deleteDomain,
  deleteInvitation,
  deleteLogo,
  deleteUser,
  deleteWebhook,
  endUserSession,
  endUserSessions,
  exportUsers,
  getUser,
  type Invitation as InvitationSchema,
  importUsers,
  listAudit,
  listDomains,
  listInvitations,
  listProviders,
  listRefusals,
  listRemovals,
  listUserSessions,
  listUsers,
  listWebhookDeliveries,
  listWebhooks,
  mergeUsers,
  type Provider as ProviderSchema,
  pinUserIdentity,
  type Refusal as RefusalSchema,
  type RemovalRequest,
  readBrand,
  readObservability,
  readSettings,
  readUserMetadata,
  readWebhook,
  removeProvider as removeProviderEndpoint,
  removeUserIdentity,
  replaceProvider,
  replaceUserClaims,
  replaceUserMetadata,
  replayWebhook,
  rotateWebhookSecret,
  type SocialLoginSettings,
  setBrand,
  setLogo,
  testProvider,
  testWebhook,
  type UserDetails,
  type UserSession as UserSessionSchema,
  unblockUser,
  type WebhookDelivery as WebhookDeliverySchema,
  type Webhook as WebhookSchema,
} from '@gatehouse-auth/contract'
import type { z } from 'zod'
import type { Project } from '../credentials/project.ts'
import { manage } from './tenants.ts'

export type Action = z.infer<typeof AuditEntry>

/** The newest `count` actions, oldest first. The service keeps 10,000: at most 21 requests. */
export async function newestActions(project: Project, count: number): Promise<Action[]> {
  let newest: Action[] = []
  for (let after = 0; ; ) {
    const { actions } = await manage(project, listAudit, {
      query: { after, limit: AUDIT_PAGE_MAX },
    })
    newest = [...newest, ...actions].slice(-count)
    const last = actions.at(-1)
    if (last === undefined || actions.length < AUDIT_PAGE_MAX) {
      return newest
    }
    after = last.id
  }
}

export type Brand = z.infer<typeof BrandSchema>

export const loadBrand = async (project: Project): Promise<Brand | null> =>
  (await manage(project, readBrand)).brand

export const saveBrand = async (
  project: Project,
  body: z.input<typeof BrandSettings>,
): Promise<Brand> => (await manage(project, setBrand, { body })).brand

export const removeBrand = (project: Project) => manage(project, deleteBrand)

export const uploadLogo = async (project: Project, file: Uint8Array): Promise<Brand> =>
  (await manage(project, setLogo, { file })).brand

export const removeLogo = (project: Project) => manage(project, deleteLogo)

export type Domain = z.infer<typeof DomainSchema>
type DomainCheck = z.infer<typeof DomainCheckSchema>

/** The service waits for the DNS and for the host. */
const CHECK_TIMEOUT_MS = 15_000

export const findDomains = async (project: Project): Promise<Domain[]> =>
  (await manage(project, listDomains)).domains

export const addDomain = async (project: Project, host: string): Promise<Domain> =>
  (await manage(project, addDomainEndpoint, { body: { host } })).domain

export const checkDomain = (project: Project, host: string): Promise<DomainCheck> =>
  manage(project, checkDomainEndpoint, { params: { host }, extraTimeoutMs: CHECK_TIMEOUT_MS })

export const removeDomain = (project: Project, host: string) =>
  manage(project, deleteDomain, { params: { host } })

export type Invitation = z.infer<typeof InvitationSchema>

export const createInvitation = async (
  project: Project,
  body: z.input<typeof createInvitationEndpoint.body>,
): Promise<Invitation> => (await manage(project, createInvitationEndpoint, { body })).invitation

export const findInvitations = async (project: Project): Promise<Invitation[]> =>
  (await manage(project, listInvitations)).invitations

export const removeInvitation = (project: Project, invitationId: string) =>
  manage(project, deleteInvitation, { params: { invitationId } })

export type Provider = z.infer<typeof ProviderSchema>

/** The service waits for the provider. */
const PROVIDER_TEST_TIMEOUT_MS = 10_000

const providerNamed = (provider: string) => ({ params: { provider } })

export const findProviders = async (project: Project): Promise<Provider[]> =>
  (await manage(project, listProviders)).providers

export const setProvider = async (
  project: Project,
  name: string,
  body: z.input<typeof replaceProvider.body>,
): Promise<Provider> =>
  (await manage(project, replaceProvider, { ...providerNamed(name), body })).provider

export const tryProvider = (project: Project, name: string) =>
  manage(project, testProvider, {
    ...providerNamed(name),
    extraTimeoutMs: PROVIDER_TEST_TIMEOUT_MS,
  })

export const removeProvider = (project: Project, name: string) =>
  manage(project, removeProviderEndpoint, providerNamed(name))

export type Removal = z.infer<typeof RemovalRequest>

export const findRemovals = async (project: Project, limit: number): Promise<Removal[]> =>
  (await manage(project, listRemovals, { query: { limit } })).removals

export type Settings = z.infer<typeof SocialLoginSettings>

export const loadSettings = (project: Project): Promise<Settings> => manage(project, readSettings)

export const saveSettings = (project: Project, body: Partial<Settings>): Promise<Settings> =>
  manage(project, changeSettings, { body })

interface UserSearch {
  readonly text: string | undefined
  readonly blocked: boolean
  readonly limit: number
}

export async function findUsers(
  project: Project,
  { text, blocked, limit }: UserSearch,
): Promise<UserDetails[]> {
  const query = {
    limit,
    include: 'blocked',
    ...(text === undefined ? {} : { q: text }),
    ...(blocked ? { blocked: 'true' } : {}),
  }
  return (await manage(project, listUsers, { query })).users
}

export const readUser = async (project: Project, id: number): Promise<UserDetails> =>
  (await manage(project, getUser, { params: { id }, query: { include: 'blocked' } })).user

export const setBlocked = async (
  project: Project,
  id: number,
  blocked: boolean,
): Promise<UserDetails> =>
  (await manage(project, blocked ? blockUser : unblockUser, { params: { id } })).user

export const setClaims = (project: Project, id: number, claims: Claims, endSessions: boolean) =>
  manage(project, replaceUserClaims, {
    params: { id },
    body: { claims, end_sessions: endSessions },
  })

export const findIdentities = async (project: Project, id: number): Promise<UserDetails> =>
  (await manage(project, getUser, { params: { id }, query: { include: 'identities' } })).user

export const mergeUser = async (project: Project, id: number, from: number): Promise<UserDetails> =>
  (await manage(project, mergeUsers, { params: { id }, body: { from } })).user

interface NamedIdentity {
  readonly id: number
  readonly provider: string
  readonly subject: string | undefined
}

export const removeIdentity = async (
  project: Project,
  { subject, ...params }: NamedIdentity,
): Promise<UserDetails> =>
  (await manage(project, removeUserIdentity, { params, query: bySubject(subject) })).user

export const pinIdentity = async (
  project: Project,
  { subject, ...params }: NamedIdentity,
  pinned: boolean,
): Promise<UserDetails> =>
  (await manage(project, pinUserIdentity, { params, query: bySubject(subject), body: { pinned } }))
    .user

const bySubject = (subject: string | undefined) => (subject === undefined ? {} : { subject })

export const removeUser = (project: Project, id: number) =>
  manage(project, deleteUser, { params: { id } })

export type Webhook = z.infer<typeof WebhookSchema>

/** A test delivery may take as long as the service waits for the endpoint. */
const TEST_TIMEOUT_MS = 15_000

const named = (webhookId: string) => ({ params: { webhookId } })

export const findWebhooks = async (project: Project): Promise<Webhook[]> =>
  (await manage(project, listWebhooks)).webhooks

export const addWebhook = (project: Project, url: string) =>
  manage(project, createWebhook, { body: { url } })

export const changeWebhook = async (
  project: Project,
  id: string,
  body: z.input<typeof changeWebhookEndpoint.body>,
): Promise<Webhook> =>
  (await manage(project, changeWebhookEndpoint, { ...named(id), body })).webhook

export const tryWebhook = (project: Project, id: string) =>
  manage(project, testWebhook, { ...named(id), extraTimeoutMs: TEST_TIMEOUT_MS })

export const replaceWebhookSecret = (project: Project, id: string) =>
  manage(project, rotateWebhookSecret, named(id))

export const removeWebhook = (project: Project, id: string) =>
  manage(project, deleteWebhook, named(id))

export const loadWebhook = async (project: Project, id: string): Promise<Webhook> =>
  (await manage(project, readWebhook, named(id))).webhook

export type Delivery = z.infer<typeof WebhookDeliverySchema>

export const findDeliveries = async (project: Project, id: string): Promise<Delivery[]> =>
  (await manage(project, listWebhookDeliveries, named(id))).deliveries

export const resend = async (
  project: Project,
  id: string,
  body: z.input<typeof replayWebhook.body>,
): Promise<Webhook> => (await manage(project, replayWebhook, { ...named(id), body })).webhook

export type Refusal = z.infer<typeof RefusalSchema>

export const findRefusals = async (project: Project): Promise<Refusal[]> =>
  (await manage(project, listRefusals)).refusals

/** Loads the usage of all projects of the owner. */
export const loadUsage = (project: Project) => manage(project, readObservability)

export type UserSession = z.infer<typeof UserSessionSchema>

export const findSessions = async (project: Project, id: number): Promise<UserSession[]> =>
  (await manage(project, listUserSessions, { params: { id } })).sessions

export const endSessions = (project: Project, id: number) =>
  manage(project, endUserSessions, { params: { id } })

export const endSession = (project: Project, sid: number) =>
  manage(project, endUserSession, { params: { sid } })

export const loadMetadata = (project: Project, id: number) =>
  manage(project, readUserMetadata, { params: { id } })

export const saveMetadata = (project: Project, id: number, metadata: Record<string, unknown>) =>
  manage(project, replaceUserMetadata, { params: { id }, body: { metadata } })

/** Users that exist stay as they are, and 100,000 take minutes. */
const TRANSFER_TIMEOUT_MS = 600_000

export const downloadUsers = (project: Project, format: 'ndjson' | 'csv'): Promise<string> =>
  manage(project, exportUsers, { query: { format }, extraTimeoutMs: TRANSFER_TIMEOUT_MS })

export const uploadUsers = (project: Project, lines: string) =>
  manage(project, importUsers, { file: lines, extraTimeoutMs: TRANSFER_TIMEOUT_MS })
