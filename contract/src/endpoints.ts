import * as bootstrap from './bootstrap.ts'
import * as claims from './claims.ts'
import * as feedback from './feedback.ts'
import * as observability from './observability.ts'
import * as sessions from './sessions.ts'
import * as socialLogin from './social-login.ts'
import * as tenants from './tenants.ts'

/** Every REST endpoint, in documentation order. */
export const ENDPOINTS = [
  tenants.createGuestTenant,
  tenants.readStatus,
  bootstrap.bootstrapTenant,
  claims.requestClaim,
  claims.waitForClaim,
  socialLogin.provisionSocialLogin,
  socialLogin.removeSocialLogin,
  socialLogin.listResources,
  socialLogin.provisionResources,
  socialLogin.listUsers,
  socialLogin.getUser,
  socialLogin.listEvents,
  observability.readObservability,
  observability.readInsights,
  feedback.leaveFeedback,
  feedback.describeDiscountReport,
  feedback.reportForDiscount,
  sessions.startLogin,
  sessions.verifyAccessToken,
  sessions.refreshSession,
  sessions.logOut,
  sessions.openEdgeSession,
  sessions.readEdgeSession,
] as const
