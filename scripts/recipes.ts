import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

// Prints the files of examples/recipes into the code blocks of sdk/README.md that name them.

const ROOT = path.resolve(import.meta.dirname, '..')
const README = path.join(ROOT, 'sdk/README.md')

const filled = readFileSync(README, 'utf8').replace(
  /^(```\w+ file=(\S+)\n).*?(^```$)/gms,
  (_, open: string, file: string, close: string) =>
    open + readFileSync(path.join(ROOT, 'examples/recipes', file), 'utf8') + close,
)
writeFileSync(README, filled)
