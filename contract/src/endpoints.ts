import * as sessions from './sessions.ts'
import * as socialLogin from './social-login.ts'
import * as tenants from './tenants.ts'

/** Every REST endpoint, in documentation order. */
export const ENDPOINTS = [
  tenants.createGuestTenant,
  tenants.readStatus,
  socialLogin.provisionSocialLogin,
  socialLogin.removeSocialLogin,
  socialLogin.listResources,
  socialLogin.provisionResources,
  socialLogin.listUsers,
  socialLogin.getUser,
  socialLogin.listEvents,
  sessions.startLogin,
  sessions.verifyAccessToken,
  sessions.refreshSession,
  sessions.logOut,
  sessions.openEdgeSession,
  sessions.readEdgeSession,
] as const
