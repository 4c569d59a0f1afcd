import * as z from 'zod'
import { BODY_ERRORS } from '../api-errors.ts'
import { SAMPLE_PROVIDER } from '../examples/provider.ts'
import { SAMPLE } from '../examples/sample.ts'
import { LoginFailureCode } from '../schemas/login-failure.ts'
import { Provider, ProviderClientBody } from '../schemas/provider.ts'
import { defineEndpoint } from './define-endpoint.ts'
import { MANAGEMENT_ERRORS } from './management-errors.ts'

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
  errors: [...NAMED_ERRORS, 'tenantSuspended', ...BODY_ERRORS, 'ownerRequired', 'noSharedClient', 'providerLimit'],
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
  summary: 'Switch a provider off, or return Google to the client of this service. Sessions and users stay.',
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
      error_code: LoginFailureCode.nullable().describe('What the provider answered, if it did not accept the client.'),
    }),
  },
  errors: [...NAMED_ERRORS, 'tenantSuspended', ...BODY_ERRORS],
  example: { params, body: {}, response: { accepted: true, error_code: null } },
})

/** In documentation order. */
export const PROVIDER_ENDPOINTS = [listProviders, replaceProvider, removeProvider, testProvider] as const
