import type { Problem } from '../../problem.ts'

/** The result of one check. */
export interface Finding {
  readonly check: string
  readonly level: 'ok' | 'warn' | 'fail'
  readonly message: string

  readonly fix?: string
}

export const ok = (check: string, message: string): Finding => ({ check, level: 'ok', message })

export const warn = (check: string, message: string, fix: string): Finding => ({ check, level: 'warn', message, fix })

export const fail = (check: string, message: string, fix: string): Finding => ({ check, level: 'fail', message, fix })

export const failed = (check: string, { message, next }: Problem): Finding => fail(check, message, next.cli)
