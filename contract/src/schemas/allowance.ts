import * as z from 'zod'

export const Allowance = z
  .strictObject({ used: z.int(), limit: z.int().nullable() })
  .meta({ id: 'Allowance', description: 'Usage against a limit; `limit` is null when there is none.' })
