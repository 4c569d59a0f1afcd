import type { Mutant } from '../mutant.ts'

const ATTACKS = ['service/test/login/own-clients/attacks.test.ts']
const OWN_CLIENT = ['service/test/login/own-clients/own-client.test.ts']
const APPLE = ['service/test/login/own-clients/apple-form.test.ts']
const LOGINS = ['service/test/login/own-clients/provider-logins.test.ts']

/** Identity providers, and the clients of owners there. */
export const PROVIDERS: readonly Mutant[] = [
  {
    name: 'a response at the callback of another provider is accepted',
    file: 'service/src/domain/login/request-secrets.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code
    find: '\\0${callbackPath}`',
    replace: '`',
    tests: ATTACKS,
  },
  {
    name: 'OpenID providers with the same name share a callback',
    file: 'service/src/domain/providers/callback-path.ts',
    find: "providerKind(provider) === 'oidc' ?",
    replace: "providerKind(provider) === 'google' ?",
    tests: ATTACKS,
  },
  {
    name: 'a client is used before its test sign-in',
    file: 'service/src/domain/providers/provider-client.ts',
    find: "client.provider === provider && client.status !== 'pending'",
    replace: 'client.provider === provider',
    tests: OWN_CLIENT,
  },
  {
    name: 'a failing client falls back to the shared one',
    file: 'service/src/domain/providers/provider-client.ts',
    find: "client.provider === provider && client.status !== 'pending'",
    replace: "client.provider === provider && client.status === 'active'",
    tests: OWN_CLIENT,
  },
  {
    name: 'a login forgets the client it began with',
    file: 'service/src/operations/login/start-login.ts',
    find: 'providerClientId: provider.client?.id ?? null,',
    replace: 'providerClientId: null,',
    tests: OWN_CLIENT,
  },
  {
    name: 'sealed credentials can be read in the row of another tenant',
    file: 'service/src/domain/providers/sealed-credentials.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code
    find: '`${tenantId}\\0${provider}\\0${id}`',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code
    replace: '`${provider}\\0${id}`',
    tests: OWN_CLIENT,
  },
  {
    name: 'a guest has a client of its own',
    file: 'service/src/operations/providers/set-provider.ts',
    find: 'if (own !== null && tenant.owner === null) throw ownerRequired()',
    replace: '',
    tests: OWN_CLIENT,
  },
  {
    name: 'a tenant has any number of OpenID providers',
    file: 'service/src/operations/providers/set-provider.ts',
    find: 'others.size < OIDC_PROVIDERS_MAX',
    replace: 'others.size < OIDC_PROVIDERS_MAX * 2',
    tests: OWN_CLIENT,
  },
  {
    name: 'a new client retires the one in use at once',
    file: 'service/src/operations/providers/set-provider.ts',
    find: "own === null ? undefined : 'pending'",
    replace: 'undefined',
    tests: OWN_CLIENT,
  },
  {
    name: 'an activated client leaves the previous one in use',
    file: 'service/src/storage/providers/provider-clients.ts',
    find: "          .where('status', '<>', 'pending')\n          .execute()",
    replace: "          .where('status', '=', 'pending')\n          .execute()",
    tests: ['service/test/storage/provider-clients.test.ts'],
  },
  {
    name: 'the exchange names our callback instead of the relay',
    file: 'service/src/operations/login/finish-sign-in.ts',
    find: 'new URL(redirectUri + search)',
    replace: "new URL(ctx.baseUrl + '/auth/google/callback' + search)",
    tests: ATTACKS,
  },
  {
    name: 'a relay is on any host',
    file: 'service/src/domain/providers/client-fields.ts',
    find: 'return isRegistered ? null :',
    replace: 'return isRegistered || hosts.length > 0 ? null :',
    tests: ['service/src/domain/providers/client-fields.test.ts'],
  },
  {
    name: 'a test sign-in needs no account session',
    file: 'service/src/operations/providers/finish-test-sign-in.ts',
    find: '  await requireOwnedTenant(ctx, session.account, client.tenantId)\n',
    replace: '',
    tests: ATTACKS,
  },
  {
    name: 'another site names the user of the next Apple sign-in',
    file: 'service/src/http/edge/apple-name-cookie.ts',
    find: 'return tag === tagOf(state) ?',
    replace: 'return tag !== undefined ?',
    tests: APPLE,
  },
  {
    name: 'a sign-in with Apple erases the name',
    file: 'service/src/operations/login/sign-in-user.ts',
    find: "provider === 'apple' ? (profile.name ?? known.name) : profile.name",
    replace: 'profile.name',
    tests: APPLE,
  },
  {
    name: 'a provider that is not switched on signs users in',
    file: 'service/src/operations/providers/login-provider.ts',
    find: "const shared = client !== null || name === 'google' ? sharedProvider(ctx, tenantId, name) : null",
    replace: 'const shared = sharedProvider(ctx, tenantId, name)',
    tests: LOGINS,
  },
  {
    name: 'a callback list may drop the host of a relay',
    file: 'service/src/operations/social-login/provision-social-login.ts',
    find: 'if (tenant.owner !== null) await requireRelays',
    replace: 'if (tenant.id === null) await requireRelays',
    tests: ['service/test/login/own-clients/relay-host.test.ts'],
  },
  {
    name: 'our own callback counts as a relay',
    file: 'service/src/operations/providers/require-relays.ts',
    find: "mode === 'own' && redirectUri !== baseUrl + callbackPath(provider, tenantId)",
    replace: "mode === 'own'",
    tests: ['service/test/login/own-clients/relay-host.test.ts'],
  },
]
