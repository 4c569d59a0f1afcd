import { gatehouse } from '@gatehouse-auth/sdk/astro'

// Handles /login, /auth/callback and /logout, refreshes sessions, and guards /notes.
export const onRequest = gatehouse({ home: '/notes', protect: ['/notes'] })
