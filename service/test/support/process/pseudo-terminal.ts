import { spawnSync } from 'node:child_process'

const PYTHON = 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)'

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

/** script(1) of util-linux allocates a pseudo-terminal; elsewhere Python's pty module does. */
const hasScript = (): boolean =>
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux')

/** The command that runs this command in a pseudo-terminal, which merges stdout and stderr. */
export const inPseudoTerminal = (command: readonly string[]): string[] =>
  hasScript()
    ? ['script', '-qec', command.map(quoted).join(' '), '/dev/null']
    : ['python3', '-c', PYTHON, ...command]
