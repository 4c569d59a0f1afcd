-- The OpenID request of a login and of its one-time code, as JSON; null: a login of our own kind.
alter table login_attempts add column openid text;
alter table login_codes add column openid text;

-- The RSA keys of tenants, one for each master key, which seals its private half.
create table signing_keys (
  tenant_id text not null,
  master_kid bigint not null,
  public_key text not null,
  sealed bytea not null,
  created_at bigint not null,
  constraint signing_keys_key primary key (tenant_id, master_kid)
);
