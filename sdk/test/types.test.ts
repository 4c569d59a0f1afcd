import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import * as contract from '@gatehouse-auth/contract'
import type { z } from 'zod'
import type { LanguageTag } from '../../service/src/domain/language.ts'
import * as sdk from '../src/index.ts'
import type { PageLanguage } from '../src/login/error-page.ts'
import { MANAGEMENT_ERRORS } from '../src/management/manage.ts'
import type * as management from '../src/management.ts'
import type { NodeRequest, NodeResponse } from '../src/node.ts'
import { EXCHANGE_ERRORS } from '../src/service/exchange.ts'
import type { TokenPairBody } from '../src/service/read-response.ts'
import type { WebhookEvent } from '../src/webhooks/verify-webhook.ts'

// Checked by the compiler: this file does not compile when a type of the SDK differs from the contract.

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Writable<T> = T extends object ? { -readonly [K in keyof T]: Writable<T[K]> } : T
type Body<E extends { ok: { body: z.ZodType } }> = z.infer<E['ok']['body']>
const same = <_True extends true>(): void => {}

same<Equal<Writable<sdk.User>, contract.VerifiedUser>>()
same<Equal<Writable<sdk.Verification>, Body<typeof contract.verifyAccessToken>>>()
same<Equal<Writable<TokenPairBody>, Body<typeof contract.refreshSession>>>()
same<Equal<keyof sdk.TokenPair, Camel<keyof TokenPairBody>>>()

type Camel<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S

// The pages of the SDK are in the languages of the pages of the service.
same<Equal<PageLanguage, LanguageTag>>()

/** The error codes of the five endpoints, and those of every endpoint. */
type EdgeErrorCode =
  | (typeof contract.exchangeLoginCode)['errors'][number]
  | (typeof contract.verifyAccessToken)['errors'][number]
  | (typeof contract.refreshSession)['errors'][number]
  | (typeof contract.logOut)['errors'][number]
  | (typeof contract.createIdToken)['errors'][number]
  | 'internalError'
  | 'temporarilyUnavailable'
same<Equal<keyof typeof EXCHANGE_ERRORS, EdgeErrorCode>>()

// The management client: the responses, the fields that it sends, and the error codes of its endpoints.
same<Equal<Writable<management.ManagedUser>, contract.UserDetails>>()
same<Equal<Writable<management.UserSession>, z.infer<typeof contract.UserSession>>>()
same<Equal<Writable<management.ImportReport>, Body<typeof contract.importUsers>>>()
same<Equal<Writable<management.ImportedUser>, contract.ImportedUser>>()
same<Equal<Writable<management.Webhook>, z.infer<typeof contract.Webhook>>>()
same<Equal<Writable<management.CreatedWebhook>, Body<typeof contract.createWebhook>>>()
same<Equal<Writable<management.RotatedSecret>, Body<typeof contract.rotateWebhookSecret>>>()
same<Equal<Writable<management.WebhookTestResult>, Body<typeof contract.testWebhook>>>()
same<Equal<Writable<management.WebhookDelivery>, z.infer<typeof contract.WebhookDelivery>>>()
same<Equal<Writable<management.NewWebhook>, z.input<typeof contract.createWebhook.body>>>()
same<Equal<Writable<management.WebhookChange>, z.input<typeof contract.changeWebhook.body>>>()
same<Equal<Writable<management.WebhookReplay>, z.input<typeof contract.replayWebhook.body>>>()
same<Equal<Exclude<WebhookEvent['type'], 'webhook.test'>, contract.WebhookType>>()
same<Equal<Writable<management.SocialLoginSettings>, Body<typeof contract.readSettings>>>()
same<Equal<Writable<management.Invitation>, z.infer<typeof contract.Invitation>>>()
same<
  Equal<
    Writable<management.NewInvitation>,
    NonNullable<z.input<typeof contract.createInvitation.body>>
  >
>()
same<Equal<Writable<management.Refusal>, z.infer<typeof contract.Refusal>>>()
same<Equal<Writable<management.AuditEntry>, z.infer<typeof contract.AuditEntry>>>()
same<Equal<Writable<management.Provider>, contract.Provider>>()
same<Equal<Writable<management.Brand>, z.infer<typeof contract.Brand>>>()
same<Equal<Writable<management.BrandSettings>, z.input<typeof contract.BrandSettings>>>()
same<Equal<Writable<management.Domain>, z.infer<typeof contract.Domain>>>()
same<Equal<Writable<management.DomainCheck>, z.infer<typeof contract.DomainCheck>>>()
same<Equal<Writable<management.RemovalRequest>, z.infer<typeof contract.RemovalRequest>>>()
same<Equal<keyof management.ProviderTestResult, keyof Body<typeof contract.testProvider>>>()
type OwnClients = {
  [K in contract.ProviderKind]: z.input<(typeof contract.OWN_CLIENTS)[K]>
}
type WithoutMode<T> = {
  -readonly [K in keyof T]: { -readonly [F in keyof T[K] as Exclude<F, 'mode'>]: T[K][F] }
}
same<Equal<WithoutMode<management.ProviderClients>, WithoutMode<OwnClients>>>()
same<Equal<management.UserInclude, contract.UserInclude>>()
same<Equal<keyof management.UserSearch, keyof z.input<typeof contract.listUsers.query>>>()
same<Equal<keyof management.EventQuery, keyof z.input<typeof contract.listEvents.query>>>()
same<Equal<keyof management.PageOptions, keyof z.input<typeof contract.listAudit.query>>>()
same<Equal<keyof management.PageOptions, keyof z.input<typeof contract.listRemovals.query>>>()
type ManagementCode = (
  | typeof contract.USER_ENDPOINTS
  | typeof contract.IDENTITY_ENDPOINTS
  | typeof contract.USER_SESSION_ENDPOINTS
  | typeof contract.USER_TRANSFER_ENDPOINTS
  | typeof contract.SETTINGS_ENDPOINTS
  | typeof contract.INVITATION_ENDPOINTS
  | typeof contract.PROVIDER_ENDPOINTS
  | typeof contract.BRAND_ENDPOINTS
  | typeof contract.DOMAIN_ENDPOINTS
  | typeof contract.REMOVAL_ENDPOINTS
  | typeof contract.WEBHOOK_ENDPOINTS
  | typeof contract.WEBHOOK_DELIVERY_ENDPOINTS
  | typeof contract.REFUSAL_ENDPOINTS
  | typeof contract.AUDIT_ENDPOINTS
  | readonly [typeof contract.listEvents]
)[number]['errors'][number]
same<
  Equal<keyof typeof MANAGEMENT_ERRORS, ManagementCode | 'internalError' | 'temporarilyUnavailable'>
>()

// Node's request and response, and the standard Request and fetch, are assignable to the SDK's types.
const fits = <_A extends B, B>(): void => {}
fits<IncomingMessage, NodeRequest>()
fits<ServerResponse, NodeResponse>()
fits<Request, sdk.RequestLike>()
fits<typeof globalThis.fetch, sdk.Fetch>()

// A pair is rotated only where it can be stored: `refresh: true` needs a way to do so, which fits the input.
const neverCalled = (client: sdk.Client, request: Request): unknown => [
  client.session(request) satisfies Promise<sdk.ReadSession>,
  client.session({ headers: request.headers }) satisfies Promise<sdk.ReadSession>,
  client.session(request, {
    refresh: true,
    setCookie: (line) => line,
  }) satisfies Promise<sdk.Session>,
  client.session(
    { refreshToken: 'r' },
    { refresh: true, onTokens: () => {} },
  ) satisfies Promise<sdk.Session>,
  // @ts-expect-error: nowhere to set cookies
  client.session(request, { refresh: true }),
  // @ts-expect-error: a server component has headers only
  client.session({ headers: request.headers }, { refresh: true }),
  // @ts-expect-error: the pair of a request is in its cookies
  client.session(request, { refresh: true, onTokens: () => {} }),
  // @ts-expect-error: tokens have no response
  client.session({ refreshToken: 'r' }, { refresh: true, setCookie: () => {} }),
  // @ts-expect-error: a read never returns `superseded`
  client.session(request).then(({ status }) => status === 'superseded'),
  client
    .session(request, { refresh: true, setCookie: () => {} })
    // @ts-expect-error: `expired` is a result of reading only
    .then(({ status }) => status === 'expired'),
]
void neverCalled

test('cookie lifetimes and the login URL match the contract', () => {
  assert.equal(sdk.ACCESS_TOKEN_COOKIE.maxAge, contract.ACCESS_TOKEN_SECONDS)
  assert.equal(sdk.REFRESH_TOKEN_COOKIE.maxAge, contract.REFRESH_TOKEN_SECONDS)
  const client = sdk.createClient({ baseUrl: 'https://x.example', tenantId: 'a-b' })
  assert.equal(client.loginUrl(), contract.loginUrl('https://x.example', 'a-b'))
})

test('an error is retryable exactly when the contract says so', () => {
  const none = { requestId: null, retryAfterSeconds: null, pauseReason: null, window: null }
  for (const [code, ErrorClass] of [
    ...Object.entries(EXCHANGE_ERRORS),
    ...Object.entries(MANAGEMENT_ERRORS),
  ]) {
    const error = new ErrorClass('A message.', {
      reason: 'status',
      status: 400,
      code,
      details: {},
      ...none,
    })
    assert.equal(
      error.retryable,
      contract.API_ERRORS[code as EdgeErrorCode | ManagementCode].retryable,
      code,
    )
  }
})
