import { readFileSync } from 'node:fs'
import path from 'node:path'

const file = path.resolve(import.meta.dirname, '../../../../package.json')
const { scripts } = JSON.parse(readFileSync(file, 'utf8')) as { scripts: { start: string } }

/** What npm runs for `npm start`, in the shell, without the settings of the `.env` of this clone. */
export const START_COMMAND = scripts.start.replace(/--env-file\S+ /, '')

/** Node options in `npm start`. Every other way to start the service must pass the same ones. */
export const NODE_FLAGS: readonly string[] = scripts.start
  .split(' ')
  .filter((word) => word.startsWith('--') && !word.startsWith('--env-file'))
