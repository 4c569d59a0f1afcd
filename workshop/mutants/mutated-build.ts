import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { BUNDLE_OPTIONS, loadEsbuild, ROOT, SERVICE_BUNDLE } from '../../scripts/build/bundle.ts'
import { mutantsOf } from './mutations.ts'

const ACTIVE = 'active-mutant'
const REACHED = 'reached-mutants'

/** A production build with mutants, in a temporary folder that looks like the repository: service/dist is never written. */
export class MutatedBuild {
  readonly #root = mkdtempSync(path.join(tmpdir(), 'gatehouse-mutated-build-'))
  readonly folder = path.join(this.#root, 'service/dist')

  private constructor() {
    chmodSync(this.#root, 0o755)
    mkdirSync(this.folder, { recursive: true })
    // What the build reads beside itself.
    for (const [folder, own] of [
      ['', 'service'],
      ['service', 'dist'],
    ] as const) {
      for (const name of readdirSync(path.join(ROOT, folder))) {
        if (name !== own) {
          symlinkSync(path.join(ROOT, folder, name), path.join(this.#root, folder, name))
        }
      }
    }
    switchOn(this.folder, -1)
    takeReached(this.folder)
  }

  /** `firstIds` has the first id of each file with mutants. */
  static async make(firstIds: Readonly<Record<string, number>>): Promise<MutatedBuild> {
    const made = new MutatedBuild()
    const { build } = await loadEsbuild()
    await build({
      ...BUNDLE_OPTIONS,
      ...SERVICE_BUNDLE,
      inject: ['workshop/mutants/build-switches.ts', ...SERVICE_BUNDLE.inject],
      define: { ...BUNDLE_OPTIONS.define, MUTANTS_FOLDER: JSON.stringify(made.folder) },
      outdir: made.folder,
      write: true,
      plugins: [
        {
          name: 'mutants',
          setup: ({ onLoad }) =>
            onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path: file }) => {
              const firstId = firstIds[path.relative(ROOT, file)]
              if (firstId === undefined) {
                return null
              }
              return { contents: mutantsOf(readFileSync(file, 'utf8'), firstId).code, loader: 'js' }
            }),
        },
      ],
    })
    return made
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Switches a mutant on for processes that are started from now on; -1: none. */
export const switchOn = (folder: string, id: number): void =>
  writeFileSync(path.join(folder, ACTIVE), String(id))

/** The mutants that processes have reached since the last call. */
export function takeReached(folder: string): readonly number[] {
  const file = path.join(folder, REACHED)
  const ids = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  writeFileSync(file, '')
  return ids.filter((id) => id !== '').map(Number)
}
