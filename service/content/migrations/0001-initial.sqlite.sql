-- Owners, the browsers they are signed in with, and their sign-ins in progress.
create table accounts (
  id integer not null primary key autoincrement,
  issuer text not null,
  subject text not null,
  email text not null,
  name text,
  tier text default 'free' not null,
  project_limit integer,
  created_at integer not null,
  last_seen integer not null,
  constraint accounts_person unique (issuer, subject)
) strict;
-- Operators type addresses by hand, so the lookup ignores case.
create index accounts_email on accounts (lower(email));

create table account_sessions (
  id integer not null primary key autoincrement,
  hash text not null unique,
  account_id integer not null references accounts (id),
  device text,
  created_at integer not null,
  last_used_at integer not null,
  expires_at integer not null
) strict;
create index account_sessions_of on account_sessions (account_id);
create index account_sessions_expiry on account_sessions (expires_at);

create table account_sign_ins (
  id text not null primary key,
  browser_hash text not null,
  next_path text not null,
  tested_tenant_id text,
  tested_client_id text,
  created_at integer not null,
  expires_at integer not null,
  taken_at integer
) strict;
create index account_sign_ins_expiry on account_sign_ins (expires_at);

-- Tenants, their keys and credentials, and ownership claims.
create table tenants (
  id text not null primary key,
  origin text not null,
  profile text not null,
  created_at integer not null,
  expires_at integer,
  claimed_at integer,
  owner_account_id integer references accounts (id),
  paused_at integer,
  pause_reason text,
  suspended_at integer,
  suspension_reason text,
  suspension_generation integer default 0 not null,
  ended_at integer,
  creator_guest_hash text,
  key_generation integer default 0 not null,
  keys_replaced_at integer,
  name text
) strict;
create index tenants_owned on tenants (owner_account_id, claimed_at) where owner_account_id is not null;
create index tenants_due on tenants (expires_at) where ended_at is null;
create index tenants_ended on tenants (ended_at) where ended_at is not null;

create table tenant_keys (
  hash text not null primary key,
  tenant_id text not null references tenants (id),
  kind text not null,
  issued_to_owner integer not null,
  created_at integer not null,
  expires_at integer,
  last_used_at integer
) strict, without rowid;
create index tenant_keys_of on tenant_keys (tenant_id);

create table tenant_credentials (
  tenant_id text not null primary key,
  sealed blob not null,
  sealed_at integer not null
) strict, without rowid;

create table idempotency_keys (
  scope text not null primary key,
  tenant_id text not null,
  created_at integer not null
) strict, without rowid;
-- Purging a tenant deletes its idempotency keys by tenant.
create index idempotency_keys_of on idempotency_keys (tenant_id);

create table claims (
  id integer not null primary key autoincrement,
  tenant_id text not null,
  token_hash text not null,
  wait_hash text not null,
  confirmation_code text not null,
  decision text not null,
  created_at integer not null,
  expires_at integer not null,
  decided_at integer,
  decided_by integer,
  decision_hash text,
  constraint claims_token unique (token_hash, tenant_id),
  constraint claims_wait unique (wait_hash, tenant_id)
) strict;
create index claims_of on claims (tenant_id);
-- At most one pending claim per tenant: a new one supersedes it first (storage/tenants/claims.ts).
create unique index claims_open on claims (tenant_id) where decision = 'pending';

-- Logins in progress, and the sessions of the login edge.
create table login_attempts (
  id text not null,
  tenant_id text not null,
  redirect_uri text not null,
  return_to text,
  provider text not null,
  provider_client_id text,
  browser_hash text not null,
  challenge text,
  invitation_id text,
  link_session_id integer,
  chooser integer not null,
  remember integer not null,
  stage text not null,
  issuer text,
  subject text,
  email text,
  name text,
  picture text,
  outcome text,
  decided_at integer,
  session_id integer,
  created_at integer not null,
  expires_at integer not null,
  constraint login_attempts_key primary key (id, tenant_id)
) strict;
create index login_attempts_of on login_attempts (tenant_id, browser_hash);
create index login_attempts_expiry on login_attempts (expires_at);

create table login_codes (
  tenant_id text not null,
  hash text not null,
  resource_id integer not null,
  user_id integer not null,
  challenge text not null,
  redirect_uri text not null,
  wrong_verifiers integer not null,
  used_at integer,
  session_id integer,
  expires_at integer not null,
  constraint login_codes_key primary key (tenant_id, hash)
) strict, without rowid;
create index login_codes_expiry on login_codes (expires_at);

create table consents (
  resource_id integer not null,
  user_id integer not null,
  tenant_id text not null,
  host text not null,
  provider text not null,
  browser_hash text not null,
  brand_hash text not null,
  "at" integer not null,
  constraint consents_key primary key (resource_id, user_id, tenant_id, host, provider, browser_hash)
) strict, without rowid;
create index consents_age on consents ("at");

create table invitations (
  tenant_id text not null,
  id text not null,
  hash text not null,
  email text,
  claims text not null,
  uses integer not null,
  used integer not null,
  created_at integer not null,
  expires_at integer not null,
  constraint invitations_key primary key (tenant_id, id),
  constraint invitations_secret unique (tenant_id, hash)
) strict, without rowid;
create index invitations_expiry on invitations (expires_at);

create table edge_sessions (
  hash text not null,
  tenant_id text not null,
  expires_at integer not null,
  constraint edge_sessions_key primary key (hash, tenant_id)
) strict, without rowid;
create index edge_sessions_expiry on edge_sessions (expires_at);
-- Purging a tenant deletes its edge sessions by tenant.
create index edge_sessions_of on edge_sessions (tenant_id);

create table refusals (
  tenant_id text not null,
  kind text not null,
  step text not null,
  code text not null,
  differs text,
  sent text,
  closest text,
  count integer not null,
  first_at integer not null,
  last_at integer not null,
  constraint refusals_key primary key (tenant_id, kind)
) strict, without rowid;
create index refusals_age on refusals (last_at);

-- Counters of the limits, records of control API requests, feedback, and the audit.
create table counters (
  scope text not null,
  bucket text not null,
  starts_at integer not null,
  used integer not null,
  constraint counters_key primary key (scope, bucket, starts_at)
) strict, without rowid;
-- Only minute and hour counters are swept, and `used` is in no index: an increment touches no index.
create index counters_swept on counters (starts_at) where bucket in ('minute', 'hour');

-- One row for all counts of a scope: every login and refresh writes them, and a row costs more than its columns.
create table event_counts (
  scope text not null primary key,
  minute_start integer default 0 not null,
  minute_used integer default 0 not null,
  minute_authenticated integer default 0 not null,
  month_start integer default 0 not null,
  month_used integer default 0 not null,
  month_authenticated integer default 0 not null,
  lifetime_used integer default 0 not null,
  last_event_id integer default 0 not null
) strict, without rowid;

create table request_records (
  id integer not null primary key autoincrement,
  tenant_id text not null,
  at_ms integer not null,
  method text not null,
  route text not null,
  status integer not null,
  ms real not null,
  request_id text not null
) strict;
-- By time, not by id: instances write in batches, so the ids of one tenant are slightly out of order.
create index request_records_newest on request_records (tenant_id, at_ms, id);
create index request_records_age on request_records (at_ms);

create table feedback (
  id integer not null primary key autoincrement,
  tenant_id text not null,
  account_id integer,
  kind text not null,
  text text not null,
  token_hash text,
  created_at integer not null
) strict;
-- The number that a tenant may have (storage/tenants/feedback.ts), and the sweep by age.
create index feedback_of on feedback (tenant_id, created_at);
create index feedback_age on feedback (created_at);
create index feedback_accepted on feedback (account_id, created_at) where token_hash is not null;

create table actions (
  tenant_id text not null,
  id integer not null,
  at_ms integer not null,
  actor text not null,
  action text not null,
  target text,
  request_id text not null,
  constraint actions_key primary key (tenant_id, id)
) strict, without rowid;
create index actions_age on actions (at_ms);

-- Each tenant's social login: resource, users and sessions. Rows are deleted by resource, in chunks (purge.ts).
create table resources (
  id integer not null primary key autoincrement,
  tenant_id text not null,
  kind text not null,
  status text not null,
  callback_urls text not null,
  created_at integer not null,
  updated_at integer not null,
  deleted_at integer,
  refresh_leeway_seconds integer default 0 not null,
  callback_mode text default 'either' not null,
  remember_consent integer default 0 not null,
  allowed_domains text default '[]' not null,
  allowed_emails text default '[]' not null,
  first_user_claims text,
  id_tokens text,
  admission text default 'open' not null,
  tallied_through integer default 0 not null
) strict;
-- At most one active resource per tenant and kind; the rows of any number of deleted ones may still be there.
create unique index resources_active on resources (tenant_id, kind) where status = 'active';
create index resources_deleting on resources (status, id) where status = 'deleting';

-- Ids count per tenant (storage/social-login/users.ts), so they are unique within a resource.
create table users (
  id integer not null,
  tenant_id text not null,
  resource_id integer not null,
  issuer text not null,
  subject text not null,
  email text not null,
  name text,
  name_key text,
  picture text,
  first_seen integer not null,
  last_seen integer not null,
  blocked_at integer,
  metadata text,
  claims text,
  browser_hash text,
  constraint users_key primary key (resource_id, id, tenant_id),
  constraint users_person unique (resource_id, issuer, subject, tenant_id)
) strict, without rowid;
-- The searches of the users API (storage/social-login/user-search.ts). A refresh does not write users, and the end of a session
-- changes only `last_seen`, which none of them contains. An index of SQLite contains the primary key anyway; PostgreSQL's must
-- name the id. Both fold ASCII letters only.
create index users_by_email on users (resource_id, (lower(email)));
create index users_by_name on users (resource_id, name_key) where name_key is not null;
create index users_blocked on users (resource_id, id) where blocked_at is not null;

-- All identities of the users who have several; the row in `users` has one of them (storage/social-login/identities.ts). The key
-- doesn't begin with the resource: SQLite would read all of its rows by it, instead of those of a user by the index.
create table identities (
  resource_id integer not null,
  issuer text not null,
  subject text not null,
  tenant_id text not null,
  user_id integer not null,
  email text not null,
  name text,
  picture text,
  pinned integer not null,
  last_seen integer not null,
  constraint identities_key primary key (issuer, subject, resource_id, tenant_id)
) strict, without rowid;
create index identities_of on identities (resource_id, user_id);

create table sessions (
  id integer not null primary key autoincrement,
  tenant_id text not null,
  resource_id integer not null,
  user_id integer not null,
  salt blob not null,
  generation integer not null,
  created_at integer not null,
  rotated_at integer not null,
  previous_rotated_at integer,
  expires_at integer not null,
  absolute_expires_at integer not null,
  idempotency_hash text,
  late_generation integer,
  late_until integer,
  sweep_at integer not null
) strict;
-- A refresh changes no indexed column: on PostgreSQL it stays a heap-only update, on SQLite it writes one page. An index of
-- SQLite contains the id anyway, so the one on the resource also finds the newest sessions; PostgreSQL's must name it.
create index sessions_of on sessions (resource_id);
create index sessions_by_user on sessions (resource_id, user_id);
create index sessions_sweep on sessions (sweep_at);

-- The page on which people see and remove their own data.
create table me_sessions (
  hash text not null primary key,
  issuer text not null,
  subject text not null,
  email text not null,
  name text,
  created_at integer not null,
  expires_at integer not null
) strict;
create index me_sessions_expiry on me_sessions (expires_at);

create table removal_requests (
  resource_id integer not null,
  user_id integer not null,
  tenant_id text not null,
  requested_at integer not null,
  request_id text not null,
  constraint removal_requests_key primary key (resource_id, user_id, tenant_id)
) strict, without rowid;
create index removal_requests_due on removal_requests (requested_at);
-- Written when a user is inserted, and when a user's first identity is removed.
create index users_by_identity on users (issuer, subject);

-- The history of sign-ins, and its daily totals. Every refresh writes each index (docs/hot-path.md), so there are two, not three:
-- pages of all kinds are merged from the ranges of the single kinds (storage/social-login/events.ts), and no query selects an
-- event by its id alone.
create table events (
  id integer not null,
  tenant_id text not null,
  resource_id integer not null,
  event text not null,
  user_id integer,
  email text,
  redirect_uri text,
  return_to text,
  metadata text not null,
  created_at integer not null
) strict;
-- SQLite appends the rows in the order of a hidden row id, and this index is the key.
create unique index events_by_kind on events (resource_id, event, id);
create index events_by_user on events (resource_id, user_id, id) where user_id is not null;

-- How many events of each kind a resource had on each day, up to the event `tallied_through`; see tallies.ts.
create table day_tallies (
  tenant_id text not null,
  resource_id integer not null,
  day text not null,
  event text not null,
  count integer not null,
  constraint day_tallies_key primary key (resource_id, day, event, tenant_id)
) strict, without rowid;

-- Tables that every instance reads: revocations, and the proofs of the master keys. A row of `revocations` is never updated: it
-- would keep its position in the feed, and instances that have read it would miss the change (decision 18).
create table revocations (
  id integer not null primary key autoincrement,
  kind text not null,
  tenant_id text not null,
  subject_id integer,
  generation integer,
  until_ms integer not null,
  last_id integer
) strict;
create index revocations_until on revocations (until_ms);

create table key_checks (
  kid text not null primary key,
  proof text not null,
  added_at integer default 0 not null
) strict, without rowid;

-- The authorization server. There is no table of clients: a client id carries its own registration. Codes, access tokens and
-- refresh tokens have a table each, so one kind is never accepted as another (decision 26).
create table oauth_approvals (
  hash text not null primary key,
  client_id text not null,
  client_name text not null,
  redirect_uri text not null,
  state text,
  challenge text not null,
  scopes text not null,
  resource text not null,
  account_required integer not null,
  browser_hash text not null,
  created_at integer not null,
  expires_at integer not null,
  decision text,
  decided_at integer
) strict;
create index oauth_approvals_expiry on oauth_approvals (expires_at);

-- A grant acts for an account or for a guest, never for both.
create table oauth_grants (
  id integer not null primary key autoincrement,
  client_id text not null,
  client_name text not null,
  account_id integer references accounts (id),
  guest_hash text,
  scopes text not null,
  resource text not null,
  created_at integer not null,
  last_used_at integer not null,
  ends_at integer not null,
  revoked_at integer,
  constraint oauth_grants_subject check ((account_id is null) <> (guest_hash is null))
) strict;
create index oauth_grants_of on oauth_grants (account_id) where account_id is not null;
create index oauth_grants_end on oauth_grants (ends_at);

create table oauth_codes (
  hash text not null primary key,
  grant_id integer not null,
  redirect_uri text not null,
  challenge text not null,
  expires_at integer not null,
  used_at integer
) strict, without rowid;
create index oauth_codes_of on oauth_codes (grant_id);

create table oauth_access_tokens (
  hash text not null primary key,
  grant_id integer not null,
  scopes text not null,
  expires_at integer not null
) strict, without rowid;
create index oauth_access_tokens_of on oauth_access_tokens (grant_id);
create index oauth_access_tokens_expiry on oauth_access_tokens (expires_at);

create table oauth_refresh_tokens (
  hash text not null primary key,
  grant_id integer not null,
  expires_at integer not null,
  used_at integer
) strict, without rowid;
create index oauth_refresh_tokens_of on oauth_refresh_tokens (grant_id);
create index oauth_refresh_tokens_expiry on oauth_refresh_tokens (expires_at);

-- Endpoints of apps that get events, what waits for a retry, and the delivery log. Events themselves are in `events`.
create table webhooks (
  tenant_id text not null,
  id text not null,
  url text not null,
  events text not null,
  sealed blob not null,
  previous_sealed blob,
  previous_until integer,
  cursor integer not null,
  replay_after integer,
  replay_until integer,
  status text not null,
  disabled_reason text,
  failing_since integer,
  failures integer not null,
  lease_until integer,
  next_look_at integer,
  attempts integer not null,
  created_at integer not null,
  constraint webhooks_key primary key (tenant_id, id)
) strict, without rowid;
create index webhooks_due on webhooks (next_look_at) where status = 'active' and next_look_at is not null;

create table webhook_retries (
  tenant_id text not null,
  webhook_id text not null,
  event_id integer not null,
  attempt integer not null,
  due_at integer not null,
  constraint webhook_retries_key primary key (tenant_id, webhook_id, event_id)
) strict, without rowid;
create index webhook_retries_due on webhook_retries (tenant_id, webhook_id, due_at);

create table webhook_messages (
  tenant_id text not null,
  webhook_id text not null,
  user_id integer not null,
  kind text not null,
  email text,
  version integer not null,
  at_ms integer not null,
  attempt integer not null,
  due_at integer not null,
  -- The user before the endpoint: all that waits about a deleted user goes.
  constraint webhook_messages_key primary key (tenant_id, user_id, webhook_id, kind)
) strict, without rowid;
create index webhook_messages_due on webhook_messages (tenant_id, webhook_id, due_at);
create index webhook_messages_age on webhook_messages (at_ms);

create table webhook_attempts (
  tenant_id text not null,
  webhook_id text not null,
  id integer not null,
  type text not null,
  event_id integer,
  attempt integer not null,
  at_ms integer not null,
  status integer,
  ms integer not null,
  error text,
  constraint webhook_attempts_key primary key (tenant_id, webhook_id, id)
) strict, without rowid;
create index webhook_attempts_newest on webhook_attempts (tenant_id, at_ms);
create index webhook_attempts_age on webhook_attempts (at_ms);

-- The domains that owners control, and what the consent page shows of their apps.
create table domains (
  tenant_id text not null,
  host text not null,
  status text not null,
  method text,
  verified_at integer,
  checked_at integer,
  next_check_at integer,
  misses integer not null,
  created_at integer not null,
  constraint domains_key primary key (tenant_id, host)
) strict, without rowid;
create index domains_due on domains (next_check_at) where next_check_at is not null;

create table brands (
  tenant_id text not null primary key,
  name text not null,
  privacy_url text,
  terms_url text,
  accent text,
  updated_at integer not null
) strict;

create table logos (
  tenant_id text not null primary key,
  hash text not null,
  size integer not null,
  png blob not null,
  updated_at integer not null
) strict;

-- Clients of tenants at identity providers.
create table provider_clients (
  tenant_id text not null,
  id text not null,
  provider text not null,
  mode text not null,
  client_id text,
  issuer text,
  display_name text,
  sealed blob,
  redirect_uri text not null,
  status text not null,
  created_at integer not null,
  tested_at integer,
  retired_at integer,
  constraint provider_clients_key primary key (tenant_id, id)
) strict, without rowid;
create index provider_clients_retired on provider_clients (retired_at) where retired_at is not null;

-- The hosts that the operator blocked for every tenant.
create table blocked_hosts (
  host text not null primary key,
  reason text not null,
  blocked_at integer not null
) strict, without rowid;

-- Which history of the database this is. PostgreSQL names it: a promoted standby and a restored backup continue on a new
-- timeline, which lacks what was committed last on the former one. On SQLite only the id floor is used. One row, with the id 1.
create table lineage (
  id integer not null primary key,
  system_id text not null,
  timeline integer not null,
  mark text not null,
  since_ms integer not null,
  id_floor integer not null,
  constraint lineage_has_one_row check (id = 1)
) strict, without rowid;
