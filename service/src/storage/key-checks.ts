import type { Access } from './access.ts'

/** A proof of each master key that was used with this database, to detect a start with the wrong key file. */
export interface KeyChecks {
  list(): Promise<{ kid: string; check: string }[]>
  /** Throws if the key id is stored with another check. */
  add(kid: string, check: string): Promise<void>
}

export function keyChecks(access: Access): KeyChecks {
  return {
    async list() {
      const rows = await access.read.selectFrom('key_checks').select(['kid', 'proof']).orderBy('kid').execute()
      return rows.map(({ kid, proof }) => ({ kid, check: proof }))
    },

    async add(kid, check) {
      const known = await access.inTransaction(async ({ write }) => {
        await write
          .insertInto('key_checks')
          .values({ kid, proof: check })
          .onConflict((conflict) => conflict.column('kid').doNothing())
          .execute()
        return write.selectFrom('key_checks').select('proof').where('kid', '=', kid).executeTakeFirstOrThrow()
      })
      if (known.proof !== check) throw new Error(`key id ${kid} belongs to another master key in this database`)
    },
  }
}
