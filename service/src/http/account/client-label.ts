import { displayText } from '../pages/text.ts'

/** What to call a program. Its name is its own word, and it need not have one. */
export const clientLabel = (name: string): string => displayText(name) || 'a program without a name'
