-- The SHA-256 of the text of each migration that has run, so that a start refuses a database that another text of the same name has
-- made (storage/migrate.ts). A table of its own: the previous release takes a table `migrations` with other columns for foreign.
create table migration_hashes (
  name text not null primary key,
  hash text not null
) strict, without rowid;
