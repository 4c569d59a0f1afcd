// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code
import type { Mutant } from './mutant.ts'

/** Who runs the service, and what people can do with their own data. */
export const PEOPLE: readonly Mutant[] = [
  {
    name: 'a public start without OPERATOR_NAME and PRIVACY_URL does not warn',
    file: 'service/src/operator.ts',
    find: 'if (isLoopback(new URL(baseUrl))) return []',
    replace: 'return []',
    tests: ['service/test/process/config.test.ts'],
  },
  {
    name: "the operator's links may have any scheme",
    file: 'service/src/operator.ts',
    find: "if (!isWeb || url.username !== '' || url.password !== '') {",
    replace: 'if (url === null) {',
    tests: ['service/test/process/config.test.ts'],
  },
  {
    name: 'a session on /me lasts a day',
    file: 'service/src/domain/me/person.ts',
    find: 'ME_SESSION_MS: Duration = 30 * 60_000',
    replace: 'ME_SESSION_MS: Duration = 24 * 60 * 60_000',
    tests: ['service/test/users-and-events/me.test.ts'],
  },
  {
    name: 'an expired session on /me is accepted',
    file: 'service/src/storage/me/sessions.ts',
    find: ".where('expires_at', '>', now)",
    replace: '',
    tests: ['service/test/users-and-events/me.test.ts'],
  },
  {
    name: 'a sign-in to /me creates an account',
    file: 'service/src/operations/me/finish-sign-in.ts',
    find: 'const { profile } = await identifyVisitor(ctx, returned)',
    replace:
      'const { profile } = await identifyVisitor(ctx, returned)\n  await ctx.stores.accounts.signIn(profile, ctx.now())',
    tests: ['service/test/users-and-events/me.test.ts'],
  },
  {
    name: 'a person sees the apps of everyone at the same provider',
    file: 'service/src/storage/me/people.ts',
    find: ".where('subject', '=', subject)",
    replace: '',
    tests: ['service/test/users-and-events/me.test.ts'],
  },
  {
    name: 'a person acts for the first user of an app instead of their own',
    file: 'service/src/operations/me/own-user.ts',
    find: 'await ctx.stores.users.findBySubject(app.resource, issuer, subject)',
    replace: 'await ctx.stores.users.findRecord(app.resource, 1)',
    tests: ['service/test/users-and-events/me.test.ts'],
  },
  {
    name: 'the buttons of /me need no CSRF token',
    file: 'service/src/http/me/me.ts',
    find: "person.requireCsrf(form.get('csrf') ?? '')",
    replace: '',
    tests: ['service/test/owners/cross-site-posts.test.ts'],
  },
  {
    name: 'a removal request is forgotten by the sweep',
    file: 'service/src/operations/sweep.ts',
    find: 'await meetRemovals(ctx)',
    replace: '',
    tests: ['service/test/users-and-events/removals.test.ts'],
  },
  {
    name: 'a removal request is met at once in a project with an owner',
    file: 'service/src/operations/me/request-removal.ts',
    find: 'if (tenant.owner === null) {',
    replace: 'if (tenant.id !== null) {',
    tests: ['service/test/users-and-events/removals.test.ts'],
  },
  {
    name: 'a repeated request for removal starts the 30 days again',
    file: 'service/src/storage/me/removals.ts',
    find: "conflict.columns(['resource_id', 'user_id', 'tenant_id']).doNothing()",
    replace: "conflict.columns(['resource_id', 'user_id', 'tenant_id']).doUpdateSet({ requested_at: requestedAt })",
    tests: ['service/test/users-and-events/removals.test.ts'],
  },
  {
    name: 'the request of a deleted user stays',
    file: 'service/src/storage/social-login/change-users.ts',
    find: ".deleteFrom('removal_requests')\n    .where('tenant_id', '=', resource.tenantId)",
    replace: ".deleteFrom('removal_requests')\n    .where('tenant_id', '=', '')",
    tests: ['service/test/users-and-events/removals.test.ts'],
  },
  {
    name: 'requests for removal have no limit',
    file: 'service/src/operations/me/request-removal.ts',
    find: 'perMinute: 10, action',
    replace: 'perMinute: 1_000, action',
    tests: ['service/test/users-and-events/removals.test.ts'],
  },
  {
    name: 'a person who signs out again and again fills the audit of the owner',
    file: 'service/src/operations/users/end-user-sessions.ts',
    find: "if (count === 0 && reason === 'person') return 0",
    replace: '',
    tests: ['service/test/users-and-events/me.test.ts'],
  },
  {
    name: 'pages do not name the operator',
    file: 'service/src/http/pages/operator.ts',
    find: 'name !== null && html`<span>',
    replace: 'name === null && html`<span>',
    tests: ['service/test/http/operator.test.ts'],
  },
]
