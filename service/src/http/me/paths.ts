import { ME_PATH } from '../../domain/accounts/person.ts'

/** All but `home` are POST only. */
export const mePaths = {
  home: ME_PATH,
  signIn: `${ME_PATH}/sign-in`,
  /** Ends the session of this page. */
  leave: `${ME_PATH}/leave`,
  /** With the field `app`. */
  signOut: `${ME_PATH}/apps/sign-out`,
  /** With the field `app`. */
  forgetConsent: `${ME_PATH}/apps/forget-consent`,
  /** With the fields `app`, `provider` and `subject`. */
  removeIdentity: `${ME_PATH}/apps/remove-identity`,
  signOutEverywhere: `${ME_PATH}/apps/sign-out-everywhere`,
  /** With the field `app`. */
  remove: `${ME_PATH}/apps/remove`,
  /** With the field `app`. */
  keep: `${ME_PATH}/apps/keep`,
} as const
