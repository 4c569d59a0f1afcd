import { spawnSync } from 'node:child_process'

/** Why a test that asks git is skipped, or false. */
export const withoutGit =
  spawnSync('git', ['--version']).error !== undefined && 'git is not installed'
