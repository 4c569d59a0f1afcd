/** `created_at` becomes `createdAt`, and `at_ms` becomes `at`. */
type CamelName<Name> = Name extends 'at_ms'
  ? 'at'
  : Name extends `${infer Word}_${infer Rest}`
    ? `${Word}${Capitalize<CamelName<Rest>>}`
    : Name

type CamelCase<Row> = { [Name in keyof Row as CamelName<Name> & string]: Row[Name] }

/** `createdAt` becomes `created_at`. */
type SnakeName<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeName<Rest>}`
  : Name

type SnakeCase<Fields> = { [Name in keyof Fields as SnakeName<Name> & string]: Fields[Name] }

/** A row as a record of the domain. Where every refresh or sign-in reads a row, an object literal is faster. */
export const camelCase = <Row extends object>(row: Row): CamelCase<Row> =>
  renamed(row, camelName) as CamelCase<Row>

/** A record of the domain as a row. */
export const snakeCase = <Fields extends object>(fields: Fields): SnakeCase<Fields> =>
  renamed(fields, snakeName) as SnakeCase<Fields>

const renamed = (fields: object, nameOf: (name: string) => string): object =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [nameOf(name), value]))

const camelName = (name: string): string =>
  name.replace(/^at_ms$/, 'at').replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const snakeName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
