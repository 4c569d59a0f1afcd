export { type SessionCookie, type SessionCookiesOptions, sessionCookiesFor } from './testing/session-cookies-for.ts'
export {
  type CypressCommands,
  type PlaywrightContext,
  type SignInAsOptions,
  type SignInOutcome,
  signInAs,
} from './testing/sign-in-as.ts'
export {
  createTestSession,
  deleteUsers,
  setTenantStatus,
  type TestService,
  type TestSession,
  type TestUser,
} from './testing/test-service.ts'
