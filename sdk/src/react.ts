'use client'

/** React components for the session. Next.js: import them in any component; this file is a client boundary. */
export {
  SessionProvider,
  type SessionProviderProps,
  SignInButton,
  type SignInButtonProps,
  UserButton,
  type UserButtonProps,
  type UserState,
  useUser,
} from './react/session-provider.ts'
