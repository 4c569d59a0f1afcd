import { gatehouse } from '@gatehouse-auth/sdk/sveltekit'

// Handles /login, /auth/callback and /logout, refreshes sessions, and guards /notes.
export const handle = gatehouse({ home: '/notes', protect: ['/notes'] })
