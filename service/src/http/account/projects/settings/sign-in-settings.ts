import { changeSettings as changeSettingsEndpoint } from '@gatehouse/contract'
import { changeSettings, provisionSocialLogin } from '../../../../operations/social-login/provision.ts'
import { ownerAuthor } from '../../../callers/author.ts'
import { readSettingsChange } from '../../../control/settings.ts'
import type { App, Call, HttpDependencies } from '../../../dependencies.ts'
import { parseBody } from '../../../mount-endpoint.ts'
import { readSocialLoginConfiguration } from '../../../social-login-configuration.ts'
import type { OwnerPost } from '../../form.ts'
import { accountPaths } from '../../paths.ts'
import { type OwnedProject, projectPost } from '../project-route.ts'
import { formHandler, listField, numberField, type ShowAgain } from './section-form.ts'

/** Fits 500 addresses of 254 characters, each of which may be three in a form. */
const ACCESS_MAX_BYTES = 512 * 1_024

/** The forms of the sections "Callback URLs", "Who can sign in" and "Logins". */
export function signInSettingsRoutes(app: App, deps: HttpDependencies, show: ShowAgain): void {
  const { ctx } = deps
  const saved = (tenantId: string, section: string): string =>
    `${accountPaths.settings(tenantId)}?done=${section}#${section}`

  const change = async (c: Call, { owner, tenant }: OwnedProject & OwnerPost, fields: object): Promise<void> => {
    const body = parseBody(changeSettingsEndpoint.body, fields)
    const settings = { settings: readSettingsChange(body), names: Object.keys(body) }
    await changeSettings(ctx, tenant, settings, ownerAuthor(c, owner))
  }

  projectPost(
    app,
    deps,
    '/settings/callbacks',
    formHandler('callbacks', show, async (c, { owner, tenant, form }) => {
      const configuration = readSocialLoginConfiguration({ callback_urls: listField(form, 'callback_urls') })
      await provisionSocialLogin(ctx, tenant, configuration, ownerAuthor(c, owner))
      return saved(tenant.id, 'callbacks')
    }),
  )

  projectPost(
    app,
    deps,
    '/settings/access',
    formHandler('access', show, async (c, post) => {
      const { form } = post
      await change(c, post, {
        allowed_domains: listField(form, 'allowed_domains'),
        allowed_emails: listField(form, 'allowed_emails'),
      })
      return saved(post.tenant.id, 'access')
    }),
    { maxBytes: ACCESS_MAX_BYTES },
  )

  projectPost(
    app,
    deps,
    '/settings/logins',
    formHandler('logins', show, async (c, post) => {
      const { form } = post
      await change(c, post, {
        callback_mode: form.get('callback_mode'),
        remember_consent: form.has('remember_consent'),
        refresh_leeway_seconds: numberField(form.get('refresh_leeway_seconds')),
      })
      return saved(post.tenant.id, 'logins')
    }),
  )
}
