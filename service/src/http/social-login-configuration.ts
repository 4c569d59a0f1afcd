import type { SocialLoginConfiguration } from '@gatehouse/contract'
import type { z } from 'zod'
import type { Configuration } from '../operations/social-login/provision.ts'

/** One address becomes a list of one (spec, Social-login provisioning). Problems are reported where it was written. */
export function readSocialLoginConfiguration(
  body: z.infer<typeof SocialLoginConfiguration>,
  prefix = '',
): Configuration {
  if (body.callback_url !== undefined) {
    return { callbackUrls: [body.callback_url], pathOf: () => `${prefix}callback_url` }
  }
  return {
    callbackUrls: body.callback_urls ?? [],
    pathOf: (index) => `${prefix}callback_urls${index === null ? '' : `[${index}]`}`,
  }
}
