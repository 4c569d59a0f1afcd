import { displayText } from '../pages/text.ts'

/** The display name of an OAuth client. Clients choose their own name, and it may be empty. */
export const clientLabel = (name: string): string => displayText(name) || 'an unnamed application'
