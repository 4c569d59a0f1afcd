import { z } from 'zod'

export const Allowance = z
  .strictObject({ used: z.int(), limit: z.int().nullable() })
  .meta({ id: 'Allowance', description: 'What is used of something; `limit` is null where there is none.' })
