export type { ProviderClients } from './login/provider.ts'
export type { BrandCalls, Domains } from './management/brand.ts'
export type { Accent, Brand, BrandSettings, Domain, DomainCheck, RemovalRequest } from './management/brand-types.ts'
export { createManagement, type Management, type ManagementOptions } from './management/create-management.ts'
export { ManagementError } from './management/errors.ts'
export type {
  AuditAction,
  AuditEntry,
  AuthEvent,
  EventQuery,
  Refusal,
  SocialLoginSettings,
} from './management/project-types.ts'
export type {
  Provider,
  ProviderClient,
  ProviderMode,
  ProviderTestResult,
} from './management/provider-types.ts'
export type { Providers } from './management/providers.ts'
export type {
  ImportedUser,
  ImportReport,
  IncludeOptions,
  ManagedUser,
  PageOptions,
  UserIdentity,
  UserMetadata,
  UserPage,
  UserSearch,
  UserSession,
  VersionedMetadata,
} from './management/user-types.ts'
export type { Users } from './management/users.ts'
export type {
  CreatedWebhook,
  NewWebhook,
  RotatedSecret,
  Webhook,
  WebhookChange,
  WebhookDelivery,
  WebhookReplay,
  WebhookTestResult,
} from './management/webhook-types.ts'
export type { Webhooks } from './management/webhooks.ts'
export { GatehouseError, type ManagementErrorCode } from './service/errors.ts'
