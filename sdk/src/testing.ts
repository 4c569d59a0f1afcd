export {
  type CypressCommands,
  type PlaywrightContext,
  type SessionCookie,
  type SessionCookiesOptions,
  type SignInAsOptions,
  type SignInOutcome,
  sessionCookiesFor,
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
