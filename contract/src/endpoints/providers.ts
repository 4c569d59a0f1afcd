import * as z from 'zod'
import { BODY_ERRORS } from '../api-errors.ts'
import { SAMPLE } from '../examples.ts'
import { LoginFailureCode } from '../schemas/login-failure.ts'
import { Provider, ProviderClientBody, ProviderName } from '../schemas/provider.ts'
import { defineEndpoint, MANAGEMENT_ERRORS } from './define-endpoint.ts'
import { loginUrl, startLogin } from './sessions.ts'

const login_url = `{base_url}/edge/auth/${SAMPLE.tenantId}/google`

const SAMPLE_PROVIDER = {
  name: 'google',
  mode: 'own',
  client_id: SAMPLE.providerClientId,
  redirect_uri: '{base_url}/auth/google/callback',
  status: 'pending',
  tested_at: null,
  login_url,
  in_use: { mode: 'shared', client_id: null },
} as const

const NAMED_ERRORS = [...MANAGEMENT_ERRORS, 'notProvisioned', 'providerNotFound'] as const

const ProviderParams = z.object({ provider: z.string() })
const params = { provider: 'google' }

export const listProviders = defineEndpoint({
  id: 'listProviders',
  method: 'GET',
  path: '/api/social-login/providers',
  auth: 'management',
  summary: 'List the identity providers of this tenant. Google is always there.',
  tag: 'Social login',
  ok: { status: 200, body: z.strictObject({ providers: z.array(Provider) }) },
  errors: [...MANAGEMENT_ERRORS, 'notProvisioned'],
  example: { response: { providers: [SAMPLE_PROVIDER] } },
})

export const replaceProvider = defineEndpoint({
  id: 'replaceProvider',
  method: 'PUT',
  path: '/api/social-login/providers/:provider',
  auth: 'management',
  summary:
    'Switch on a provider with the client of this service, or set a client of your own. That one is used after a test sign-in of the owner.',
  tag: 'Social login',
  params: ProviderParams,
  body: ProviderClientBody,
  ok: { status: 200, body: z.strictObject({ provider: Provider }) },
  errors: [
    ...NAMED_ERRORS,
    'tenantSuspended',
    ...BODY_ERRORS,
    'ownerRequired',
    'noSharedClient',
    'providerLimit',
  ],
  example: {
    params,
    body: { client_id: SAMPLE.providerClientId, client_secret: SAMPLE.providerSecret },
    response: { provider: SAMPLE_PROVIDER },
  },
})

export const removeProvider = defineEndpoint({
  id: 'removeProvider',
  method: 'DELETE',
  path: '/api/social-login/providers/:provider',
  auth: 'management',
  summary:
    'Switch a provider off, or return Google to the client of this service. Sessions and users stay.',
  tag: 'Social login',
  params: ProviderParams,
  ok: { status: 200, body: z.strictObject({ success: z.literal(true) }) },
  errors: [...NAMED_ERRORS, 'tenantSuspended'],
  example: { params, response: { success: true } },
})

export const testProvider = defineEndpoint({
  id: 'testProvider',
  method: 'POST',
  path: '/api/social-login/providers/:provider/test',
  auth: 'management',
  summary:
    'Ask the provider whether it accepts the id and the secret of your own client. Only a test sign-in at /account shows whether the redirect URI is registered.',
  tag: 'Social login',
  params: ProviderParams,
  body: z.strictObject({}).optional(),
  ok: {
    status: 200,
    body: z.strictObject({
      accepted: z.boolean(),
      error_code: LoginFailureCode.nullable().describe(
        'What the provider answered, if it did not accept the client.',
      ),
    }),
  },
  errors: [...NAMED_ERRORS, 'tenantSuspended', ...BODY_ERRORS],
  example: { params, body: {}, response: { accepted: true, error_code: null } },
})

/** In documentation order. */
export const PROVIDER_ENDPOINTS = [
  listProviders,
  replaceProvider,
  removeProvider,
  testProvider,
] as const

export const startProviderLogin = defineEndpoint({
  id: 'startProviderLogin',
  method: 'GET',
  path: '/edge/auth/:tenantId/:provider',
  auth: 'none',
  summary:
    'Send a user here to sign in with another provider than Google. The app must have switched it on.',
  description:
    'As the login link for Google, for each provider that `GET /edge/auth/{tenantId}/providers` lists.',
  tag: 'Sessions',
  params: startLogin.params.extend({ provider: z.string() }),
  query: startLogin.query,
  ok: startLogin.ok,
  errors: [...startLogin.errors, 'providerNotFound', 'providerNotEnabled'],
  errorPages: true,
  example: {
    params: { tenantId: SAMPLE.tenantId, provider: 'github' },
    query: { return_to: '/settings' },
    response: undefined,
  },
})

/** The link of a sign-in button for any provider. */
export const providerLoginUrl = (
  baseUrl: string,
  tenantId: string,
  provider: ProviderName,
): string =>
  provider === 'google'
    ? loginUrl(baseUrl, tenantId)
    : baseUrl +
      startProviderLogin.path.replace(':tenantId', tenantId).replace(':provider', provider)

export const listLoginProviders = defineEndpoint({
  id: 'listLoginProviders',
  method: 'GET',
  path: '/edge/auth/:tenantId/providers',
  auth: 'none',
  summary: 'List the providers that users of this app can sign in with, for its sign-in page.',
  tag: 'Sessions',
  params: startLogin.params,
  ok: {
    status: 200,
    body: z.strictObject({
      providers: z.array(
        z.strictObject({
          name: ProviderName,
          display_name: z
            .string()
            .describe('For the button: “Google”, “GitHub”, or the name of your `oidc-` provider.'),
          login_url: z.string(),
        }),
      ),
    }),
  },
  errors: [
    'notProvisioned',
    'tenantNotFound',
    'tenantExpired',
    'tenantPaused',
    'tenantSuspended',
    'invalidRequest',
  ],
  example: {
    params: { tenantId: SAMPLE.tenantId },
    response: {
      providers: [
        {
          name: 'google',
          display_name: 'Google',
          login_url: `{base_url}/edge/auth/${SAMPLE.tenantId}/google`,
        },
      ],
    },
  },
})

/** In documentation order: `providers` has the form of a provider, too. */
export const PROVIDER_LOGIN_ENDPOINTS = [listLoginProviders, startProviderLogin] as const
