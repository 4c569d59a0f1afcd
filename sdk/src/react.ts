'use client'

/** React components for the session. Next.js: import them in any component; this file is a client boundary. */
export { SignInButton, type SignInButtonProps, UserButton, type UserButtonProps } from './react/buttons.ts'
export { SessionProvider, type SessionProviderProps, type UserState, useUser } from './react/session-provider.ts'
