import { readFileSync } from 'node:fs'
import path from 'node:path'

const file = path.resolve(import.meta.dirname, '../../../../package.json')
const { scripts } = JSON.parse(readFileSync(file, 'utf8')) as { scripts: { start: string } }

/** What `npm start` tells Node before it names our program. Every other way to start us must tell it the same. */
export const NODE_FLAGS: readonly string[] = scripts.start
  .split(' ')
  .filter((word) => word.startsWith('--') && !word.startsWith('--env-file'))
