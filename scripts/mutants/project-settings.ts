import type { Mutant } from './mutant.ts'

const SIGN_IN = ['service/test/owners/sign-in-settings.test.ts']

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
]
