import type { Mutant } from './mutant.ts'

/** The owner's console. */
export const CONSOLE: readonly Mutant[] = [
  {
    name: 'a project is shown to every signed-in owner',
    file: 'service/src/operations/tenants/require-owned-tenant.ts',
    find: 'const tenant = owned.find(({ id }) => id === tenantId)',
    replace:
      'const tenant = owned.find(({ id }) => id === tenantId) ?? (await ctx.stores.tenants.find(tenantId)) ?? undefined',
    tests: ['service/test/owners/console-users.test.ts'],
  },
  {
    name: 'the metadata form overwrites a change that was made meanwhile',
    file: 'service/src/http/account/projects/users/user.ts',
    find: 'isExpected: (stored: string | null) => metadataEtag(stored) === etag',
    replace: "isExpected: (stored: string | null) => metadataEtag(stored) === etag || etag !== ''",
    tests: ['service/test/owners/console-users.test.ts'],
  },
  {
    name: 'a user is deleted without the confirmation',
    file: 'service/src/http/account/projects/users/user.ts',
    find: "if (project.form.get('confirm') !== 'yes')",
    replace: "if (project.form.get('confirm') === 'no')",
    tests: ['service/test/owners/console-users.test.ts'],
  },
  {
    name: 'renaming a project leaves no audit record',
    file: 'service/src/operations/tenants/rename-project.ts',
    find: "await recordAction(stores, { tenantId: tenant.id, author, action: 'tenant.renamed', at: ctx.now() })",
    replace: 'void [recordAction, author]',
    tests: ['service/test/owners/dashboard.test.ts'],
  },
  {
    name: 'each use of a key writes its row',
    file: 'service/src/operations/tenants/key-uses.ts',
    find: '    if (lastUsedAt !== null && lastUsedAt > now - KEY_USE_EVERY_MS) return\n',
    replace: '',
    tests: ['service/test/tenants/key-uses.test.ts'],
  },
  {
    name: 'a key that was used by two instances is written by both',
    file: 'service/src/storage/tenants/tenant-keys.ts',
    find: "eb('last_used_at', '<=', before)",
    replace: "eb('last_used_at', '<=', usedAt)",
    tests: ['service/test/storage/tenants.test.ts'],
  },
  {
    name: 'a key of the wrong kind counts as used',
    file: 'service/src/operations/tenants/authenticate-key.ts',
    find: '  if (found.kind !== wanted) throw wrongKeyKind(wanted)\n  ctx.keyUses.add(found, ctx.now())\n',
    replace: '  ctx.keyUses.add(found, ctx.now())\n  if (found.kind !== wanted) throw wrongKeyKind(wanted)\n',
    tests: ['service/test/owners/keys-page.test.ts'],
  },
  {
    name: 'keys of a creation hide those that replaced them',
    file: 'service/src/http/account/projects/keys/new-key-file.ts',
    find: 'if (replaced !== null)\n',
    replace: 'if (replaced !== null && keptForDisplay(deps.ctx, c, owner, keyFileOf(tenant.id)) === null)\n',
    tests: ['service/test/owners/keys-page.test.ts'],
  },
  {
    name: 'the settings of a suspended project offer changes',
    file: 'service/src/http/account/projects/console.ts',
    find: 'LOCKED.has(current) ? unlessSuspended(project, body) : body',
    replace: 'LOCKED.size < 1 ? unlessSuspended(project, body) : body',
    tests: ['service/test/moderation/suspension.test.ts'],
  },
  {
    name: 'a page of activity repeats the last event of the previous one',
    file: 'service/src/storage/social-login/newest-events.ts',
    find: ".where('id', '<', before)",
    replace: ".where('id', '<=', before)",
    tests: ['service/test/storage/insights.test.ts'],
  },
  {
    name: 'a page of sessions repeats the last session of the previous one',
    file: 'service/src/storage/social-login/active-sessions.ts',
    find: ".where('id', '<', before)",
    replace: ".where('id', '<=', before)",
    tests: ['service/test/storage/insights.test.ts', 'service/test/owners/console-sessions.test.ts'],
  },
  {
    name: 'a browser that was signed out while it waited reads the new events',
    file: 'service/src/http/account/projects/overview/live-activity.ts',
    find: 'if (activity.length > 0) await requireStillOwner(c, tenant.id)',
    replace: 'if (activity.length > 99) await requireStillOwner(c, tenant.id)',
    tests: ['service/test/owners/live-activity.test.ts'],
  },
  {
    name: 'an account may have any number of live pages',
    file: 'service/src/operations/wait-shares.ts',
    find: 'max: LIVE_PAGES_PER_ACCOUNT,',
    replace: 'max: LIVE_PAGES_PER_ACCOUNT * 10,',
    tests: ['service/test/owners/live-activity.test.ts'],
  },
  {
    name: 'every page may have scripts',
    file: 'service/src/http/responses.ts',
    find: '  pageHeaders(c, formActions)',
    replace: '  scriptedPageHeaders(c, formActions)',
    tests: ['service/test/http/pages.test.ts'],
  },
]
