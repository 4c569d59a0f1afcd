import { z } from 'zod'

/** The six kinds of auth event (spec, Auth event). Adding one: CONTRIBUTING.md. */
export const AUTH_EVENT_KINDS = [
  'login_started',
  'consent_denied',
  'authorize',
  'login_failed',
  'token_refreshed',
  'logout',
] as const

export type AuthEventKind = (typeof AUTH_EVENT_KINDS)[number]

const LOGIN_FAILURE_STAGES = ['token_exchange', 'userinfo', 'user_upsert'] as const

export type LoginFailureStage = (typeof LOGIN_FAILURE_STAGES)[number]

export const AuthEvent = z
  .strictObject({
    id: z.int().describe('Ascends in the order of the events.'),
    event: z.enum(AUTH_EVENT_KINDS),
    user_id: z.int().nullable().describe('null until the user is known.'),
    email: z.string().nullable(),
    redirect_uri: z.string().nullable(),
    return_to: z.string().nullable(),
    metadata: z
      .record(z.string(), z.unknown())
      .describe('`stage` and `error_code` of a failure, `by` of a denial, `reason` of a logout.'),
    created_at_ms: z.int().describe('Milliseconds since 1970.'),
  })
  .meta({ id: 'AuthEvent', description: 'One entry of the auth event history.' })

export type AuthEvent = z.infer<typeof AuthEvent>
