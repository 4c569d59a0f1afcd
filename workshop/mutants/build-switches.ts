import { appendFileSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { switches } from './switches.ts'

// Part of a build with mutants (mutated-build.ts), before all other modules. Files beside the build say which mutant is
// switched on and collect which ones are reached: tests start the service with an environment of its own, so a variable
// would not get there.

/** The folder of the build, also in a copy of it. */
declare const MUTANTS_FOLDER: string

const active = Number(readFileSync(path.join(MUTANTS_FOLDER, 'active-mutant'), 'utf8'))
const reached = new Set<number>()

function reach(id: number): void {
  if (reached.has(id)) {
    return
  }
  reached.add(id)
  appendFileSync(path.join(MUTANTS_FOLDER, 'reached-mutants'), `${id}\n`)
}

Object.assign(
  globalThis,
  switches(() => active, reach),
)
