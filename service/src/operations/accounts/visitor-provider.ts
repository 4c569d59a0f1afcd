import { ACCOUNT_CALLBACK, callbackPath } from '../../domain/providers/callback-path.ts'
import type { Context } from '../context.ts'
import { type LoginProvider, sharedProvider } from '../providers/login-provider.ts'

/** With which people sign in to pages of this service: always a client of the operator. */
export type VisitorProvider = Omit<LoginProvider, 'client'>

/** Owners sign in to their accounts with Google. */
export const ownersGoogle = ({ identity, baseUrl }: Context): VisitorProvider => ({
  name: 'google',
  identity,
  redirectUri: baseUrl + ACCOUNT_CALLBACK,
})

/** People sign in to `/me` with every provider at which the operator has a client; null: this is none. */
export function personProvider(ctx: Context, name: string): VisitorProvider | null {
  const shared = ctx.providers.sharedNames().find((each) => each === name)
  return shared === undefined ? null : sharedProvider(ctx, '', shared)
}

/** The one whose callback this is. The state of a sign-in is accepted at that path only, so it began with this provider. */
export function personProviderAt(ctx: Context, path: string): VisitorProvider | null {
  const name = ctx.providers.sharedNames().find((each) => callbackPath(each, '') === path)
  return name === undefined ? null : personProvider(ctx, name)
}
