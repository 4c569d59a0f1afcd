import * as z from 'zod'
import { AUTH_EVENT_KINDS } from '../event-kinds.ts'
import { LOGIN_FAILURE_STAGES } from '../login-failures.ts'
import { LoginFailureCode } from './login-failure.ts'
import { ProviderName } from './provider.ts'

/** What an event says besides its fields: a failure `stage` and `error_code`, a denial `by`, a logout `reason`, a first sign-in `new_user`, a login that isn't with Google its `provider`. */
const EventMetadata = z
  .looseObject({
    stage: z
      .enum(LOGIN_FAILURE_STAGES)
      .optional()
      .describe('Only with `login_failed`: where it failed.'),
    error_code: LoginFailureCode.optional(),
    by: z
      .enum(['user', 'provider'])
      .optional()
      .describe('Only with `consent_denied`: where the user canceled.'),
    reason: z
      .enum(['user', 'refresh_reuse', 'code_reuse', 'owner', 'person', 'operator'])
      .optional()
      .describe(
        'Only with `logout`. `person`: the user, on the page `/me` of this service. `operator`: the operator ended all sessions of the tenant.',
      ),
    provider: ProviderName.optional().describe(
      'Present in the events of a login if the provider is not Google.',
    ),
    new_user: z
      .literal(true)
      .optional()
      .describe('Present in the `authorize` of a user who signs in for the first time.'),
  })
  .describe(
    '`stage` and `error_code` of a failure, `by` of a denial, `reason` of a logout, `new_user` of a first sign-in, `provider` of a login that is not with Google.',
  )

export type EventMetadata = Readonly<
  Pick<
    z.infer<typeof EventMetadata>,
    'stage' | 'error_code' | 'by' | 'reason' | 'new_user' | 'provider'
  >
>

export const AuthEvent = z
  .strictObject({
    id: z.int().describe('Ascends in the order of the events.'),
    event: z.enum(AUTH_EVENT_KINDS),
    user_id: z.int().nullable().describe('null until the user is known.'),
    email: z.string().nullable(),
    redirect_uri: z.string().nullable(),
    return_to: z.string().nullable(),
    metadata: EventMetadata,
    created_at_ms: z.int().describe('Milliseconds since 1970.'),
  })
  .meta({ id: 'AuthEvent', description: 'One entry of the auth event history.' })

export type AuthEvent = z.infer<typeof AuthEvent>
