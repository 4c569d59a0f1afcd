import * as z from 'zod'
import { SAMPLE } from '../examples/sample.ts'
import { ProviderName } from '../schemas/provider.ts'
import { defineEndpoint } from './define-endpoint.ts'
import { loginUrl, startLogin } from './sessions.ts'

export const startProviderLogin = defineEndpoint({
  id: 'startProviderLogin',
  method: 'GET',
  path: '/edge/auth/:tenantId/:provider',
  auth: 'none',
  summary: 'Send a user here to sign in with another provider than Google. The app must have switched it on.',
  tag: 'Sessions',
  params: startLogin.params.extend({ provider: z.string() }),
  query: startLogin.query,
  ok: startLogin.ok,
  errors: [...startLogin.errors, 'providerNotFound', 'providerNotEnabled'],
  example: {
    params: { tenantId: SAMPLE.tenantId, provider: 'github' },
    query: { return_to: '/settings' },
    response: undefined,
  },
})

/** The link of a sign-in button for any provider. */
export const providerLoginUrl = (baseUrl: string, tenantId: string, provider: ProviderName): string =>
  provider === 'google'
    ? loginUrl(baseUrl, tenantId)
    : baseUrl + startProviderLogin.path.replace(':tenantId', tenantId).replace(':provider', provider)

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
  errors: ['notProvisioned', 'tenantNotFound', 'tenantExpired', 'tenantPaused', 'tenantSuspended', 'invalidRequest'],
  example: {
    params: { tenantId: SAMPLE.tenantId },
    response: {
      providers: [
        { name: 'google', display_name: 'Google', login_url: `{base_url}/edge/auth/${SAMPLE.tenantId}/google` },
      ],
    },
  },
})

/** In documentation order: `providers` has the form of a provider, too. */
export const PROVIDER_LOGIN_ENDPOINTS = [listLoginProviders, startProviderLogin] as const
