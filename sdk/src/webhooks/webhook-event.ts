/** An event of your project, as `GET /api/social-login/events` returns it. */
export interface AuthEventData {
  readonly tenant_id: string
  readonly id: number
  readonly event: AuthEventKind
  readonly user_id: number | null
  readonly email: string | null
  readonly redirect_uri: string | null
  readonly return_to: string | null
  /** `new_user` at the first sign-in of a user; `stage` and `error_code` of a failure; `by` of a denial; `reason` of a logout. */
  readonly metadata: {
    readonly new_user?: true | undefined
    readonly stage?: string | undefined
    readonly error_code?: string | undefined
    readonly by?: 'user' | 'provider' | undefined
    readonly reason?: string | undefined
  }
  readonly created_at_ms: number
}

export type AuthEventKind =
  | 'login_started'
  | 'consent_denied'
  | 'authorize'
  | 'login_failed'
  | 'token_refreshed'
  | 'logout'

/** A verified webhook. `id` is the same for every delivery of an event: ignore an id that you have handled. */
export type WebhookEvent =
  | {
      readonly id: string
      readonly type: `social_login.${AuthEventKind}`
      readonly timestamp: string
      readonly data: AuthEventData
    }
  | {
      readonly id: string
      readonly type: 'webhook.test'
      readonly timestamp: string
      readonly data: { readonly tenant_id: string }
    }
