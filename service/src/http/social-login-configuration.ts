import type { SocialLoginConfiguration } from '@gatehouse/contract'
import type { z } from 'zod'
import type { Configuration } from '../operations/social-login/provision.ts'

/**
 * Reads `callback_url` or `callback_urls` (spec, Social-login provisioning). `pathOf` names the field that the caller sent, so
 * that a validation problem points at it.
 */
export function readSocialLoginConfiguration(
  body: z.infer<typeof SocialLoginConfiguration>,
  prefix = '',
): Configuration {
  const { refresh_leeway_seconds: refreshLeewaySeconds } = body
  const settings = refreshLeewaySeconds === undefined ? {} : { refreshLeewaySeconds }
  if (body.callback_url !== undefined) {
    return { callbackUrls: [body.callback_url], settings, pathOf: () => `${prefix}callback_url` }
  }
  return {
    callbackUrls: body.callback_urls ?? [],
    settings,
    pathOf: (index) => `${prefix}callback_urls${index === null ? '' : `[${index}]`}`,
  }
}
