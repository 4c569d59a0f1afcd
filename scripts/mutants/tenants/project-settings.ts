// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code
import type { Mutant } from '../mutant.ts'

const SIGN_IN = ['service/test/owners/sign-in-settings.test.ts']

const WEBHOOKS = ['service/test/owners/webhook-settings.test.ts']

const BRAND = ['service/test/owners/brand-settings.test.ts']

/** The settings of a project on its owner's page. */
export const PROJECT_SETTINGS: readonly Mutant[] = [
  {
    name: 'a rejected setting is a success for the browser',
    file: 'service/src/http/account/projects/settings/section-form.ts',
    find: 'return show(c, { owner, tenant }, rejected, status)',
    replace: 'return show(c, { owner, tenant }, rejected, status * 0 + 200)',
    tests: SIGN_IN,
  },
  {
    name: 'a rejected form shows the stored values again',
    file: 'service/src/http/account/projects/settings/form-state.ts',
    find: 'this.#rejected === null ? current : (this.#rejected.form.get(name) ??',
    replace: 'this.#rejected !== null ? current : (this.#names[0] ??',
    tests: SIGN_IN,
  },
  {
    name: 'a new secret opens in every session',
    file: 'service/src/operations/accounts/shown-secret.ts',
    find: '`shown\\0${id}\\0${about}`',
    replace: '`shown\\0${about}${String(id).slice(0, 0)}`',
    tests: WEBHOOKS,
  },
  {
    name: 'a new secret is shown for as long as the browser keeps the cookie',
    file: 'service/src/operations/accounts/shown-secret.ts',
    find: 'ctx.now() < until ? secret : null',
    replace: 'until > 0 ? secret : null',
    tests: WEBHOOKS,
  },
  {
    name: 'a logo is uploaded without the brand that it belongs to',
    file: 'service/src/http/account/projects/settings/brand/brand.ts',
    find: '      await requireLogoUpload(ctx, tenant)\n',
    replace: '',
    tests: BRAND,
  },
  {
    name: 'a form with a file needs no CSRF token',
    file: 'service/src/http/account/form.ts',
    find: "    owner.requireCsrf(form.get('csrf') ?? '', ACCOUNT_FORMS)\n",
    replace: "    if (file === null) owner.requireCsrf(form.get('csrf') ?? '', ACCOUNT_FORMS)\n",
    tests: BRAND,
  },
  {
    name: 'a rejected client sends its secret back to the browser',
    file: 'service/src/http/account/projects/settings/clients/client-fields.ts',
    find: "value: secret ? '' : state.value",
    replace: 'value: state.value',
    tests: ['service/test/owners/own-client-form.test.ts'],
  },
  {
    name: 'a new OpenID provider replaces one with the same id',
    file: 'service/src/http/account/projects/settings/clients/clients.ts',
    find: 'known.some((provider) => provider.name === name)',
    replace: 'known.some(() => false)',
    tests: ['service/test/owners/own-client-form.test.ts'],
  },
  {
    name: 'replacing a secret opens the app to every directory',
    file: 'service/src/http/account/projects/settings/clients/client-page.ts',
    find: "directory: own === null ? 'common' : ''",
    replace: "directory: 'common'",
    tests: ['service/test/owners/own-client-form.test.ts'],
  },
  {
    name: 'each press of Create project creates one',
    file: 'service/src/operations/tenants/create-project.ts',
    find: "['console', account.id, request.nonce]",
    replace: "['console', account.id, tenant.id]",
    tests: ['service/test/owners/new-project.test.ts'],
  },
]
