-- How the owner reads and types distances, days, amounts and weeks. Stored here and not in a browser, so that all of the
-- owner's devices, the calendar feed and notifications agree.

create table public.settings (
  -- No user id: like the log, the settings outlive the account, and a backup restores them under another one.
  is_the_one boolean primary key default true constraint settings_is_the_one_check check (is_the_one),
  distance text not null default 'mi' constraint settings_distance_check check (distance in ('mi', 'km')),
  dates text not null default 'MM/DD/YYYY'
    constraint settings_dates_check check (dates in ('MM/DD/YYYY', 'DD/MM/YYYY', 'DD.MM.YYYY', 'YYYY-MM-DD')),
  -- The form of an ISO 4217 code, because the list of codes changes. Intl shows a code without a symbol as itself.
  currency text not null default 'USD' constraint settings_currency_check check (currency ~ '^[A-Z]{3}$'),
  week_start text not null default 'Sunday'
    constraint settings_week_start_check check (week_start in ('Sunday', 'Monday', 'Saturday'))
);
comment on table public.settings is 'At most one row: the owner''s settings. Without a row, the defaults apply.';
comment on column public.settings.currency is 'The sign of all amounts. Changing it converts nothing.';

alter table public.settings enable row level security;

-- For all commands: the grants below say which.
create policy "The owner reads and writes the settings" on public.settings
for all to authenticated using ((select private.is_owner()));

grant select, insert (distance, dates, currency, week_start), update (distance, dates, currency, week_start) on public.settings to authenticated;
-- No delete: a setting is changed back where it was chosen, so the journal doesn't record settings either. No grants for anon
-- or service_role: functions that answer without the owner's session read this table themselves.

create function private.command_set_settings(arguments jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  insert into public.settings default values on conflict do nothing;
  update public.settings set
    distance = coalesce(arguments ->> 'distance', distance), dates = coalesce(arguments ->> 'dates', dates),
    currency = coalesce(arguments ->> 'currency', currency), week_start = coalesce(arguments ->> 'week_start', week_start)
  -- Hosted projects reject an update without a condition.
  where is_the_one;
  return '{}';
end
$$;
comment on function private.command_set_settings(jsonb) is 'Stores the settings that are named, even if there are none: the owner has chosen.';
grant execute on function private.command_set_settings to authenticated;

create function private.chosen_settings() returns json
language sql stable security invoker set search_path = ''
as $$
  select row_to_json(chosen) from (select distance, dates, currency, week_start from public.settings) as chosen
$$;
comment on function private.chosen_settings() is 'Returns the settings. Null: the defaults apply.';
-- No grant: only security definer functions that answer for the owner call it.

create function private.shown_day(moment timestamp) returns text
language sql stable security invoker set search_path = ''
as $$
  -- The names of the formats are also patterns of to_char.
  select to_char(moment, coalesce((select dates from public.settings), 'MM/DD/YYYY'))
$$;
comment on function private.shown_day(timestamp) is 'Returns a day as the owner reads it, for messages.';
grant execute on function private.shown_day(timestamp) to authenticated;
