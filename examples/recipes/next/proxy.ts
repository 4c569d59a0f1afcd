import { auth } from './auth'

// Handles /login, /auth/callback and /logout, refreshes sessions, and guards /notes.
export const proxy = auth.proxy

export const config = { matcher: '/((?!_next/static|_next/image|favicon.ico).*)' }
