import { z } from 'zod'
import { BODY_ERRORS } from '../api-errors.ts'
import { REFRESH_LEEWAY_MAX_SECONDS } from '../limits.ts'
import { defineEndpoint } from './define-endpoint.ts'
import { MANAGEMENT_ERRORS } from './management-errors.ts'

/** How social login behaves. Replacing the callback list does not change it; removing social login does. */
export const SocialLoginSettings = z
  .strictObject({
    refresh_leeway_seconds: z
      .int()
      .min(0)
      .max(REFRESH_LEEWAY_MAX_SECONDS)
      .describe(
        'How long the previous refresh token returns the same pair, for apps that cannot send an Idempotency-Key. 0 at first.',
      ),
  })
  .meta({ id: 'SocialLoginSettings', description: 'The settings of social login.' })

export const readSettings = defineEndpoint({
  id: 'readSettings',
  method: 'GET',
  path: '/api/social-login/settings',
  auth: 'management',
  summary: 'Read the settings of social login.',
  tag: 'Social login',
  ok: { status: 200, body: SocialLoginSettings },
  errors: [...MANAGEMENT_ERRORS, 'notProvisioned'],
  example: { response: { refresh_leeway_seconds: 0 } },
})

export const changeSettings = defineEndpoint({
  id: 'changeSettings',
  method: 'PATCH',
  path: '/api/social-login/settings',
  auth: 'management',
  summary: 'Change some settings of social login. Fields that are absent keep their value.',
  tag: 'Social login',
  body: SocialLoginSettings.partial()
    .refine((changes) => Object.keys(changes).length > 0, 'Send at least one setting.')
    .meta({ id: 'SocialLoginSettingsChange', description: 'Any of the settings.' }),
  ok: { status: 200, body: SocialLoginSettings },
  errors: [...MANAGEMENT_ERRORS, ...BODY_ERRORS, 'notProvisioned'],
  example: { body: { refresh_leeway_seconds: 10 }, response: { refresh_leeway_seconds: 10 } },
})

/** In documentation order. */
export const SETTINGS_ENDPOINTS = [readSettings, changeSettings] as const
