import type { Sql, TransactionSql } from 'postgres'
import { catalog } from './catalog.ts'
import { StartError } from './settings.ts'
import { DROP_OBJECTS, MOVE_DATA } from './upgrade.ts'

/** The versions of commit 5b2ba487, whose 21 migrations became one, the baseline. */
export const FORMER = Array.from({ length: 21 }, (_, index) => `20261126${1001 + index}00`)

export const precedesBaseline = (applied: string[]) => applied.join() === FORMER.join()

const DROP = `${DROP_OBJECTS}
do $$
declare
  created text;
begin
  for created in
    select match.names[1] from supabase_migrations.schema_migrations,
      regexp_matches(array_to_string(statements, ';'), 'create table public\\.(\\w+)', 'g') as match (names)
  loop
    execute format('drop table if exists public.%I cascade', created);
  end loop;
end
$$`

/**
 * Makes the baseline the only migration in the history of a database that was created by the former ones, in one transaction.
 * Throws a StartError if the baseline creates anything else than what is there.
 */
export async function adoptBaseline(
  sql: Sql,
  { version, name, sql: baseline }: Record<'version' | 'name' | 'sql', string>,
): Promise<void> {
  await sql.begin(async (transaction) => {
    const difference = await differenceTo(baseline, transaction)
    if (difference) {
      throw new StartError(
        `The database can't be upgraded, because it isn't as the tracker created it. ${difference} Nothing was changed. ` +
          `Take that back, and start again. ${MOVE_DATA}`,
      )
    }
    await transaction`delete from supabase_migrations.schema_migrations`
    await transaction`
      insert into supabase_migrations.schema_migrations (version, statements, name) values (${version}, ${[baseline]}, ${name})`
  })
}

/** Describes the first difference between a database and what the baseline creates in its place, which is then undone. */
async function differenceTo(baseline: string, transaction: TransactionSql): Promise<string | undefined> {
  const undo = new Error('undo')
  let difference: string | undefined
  const rehearse = async (rehearsal: TransactionSql) => {
    const present = new Set(await catalog(rehearsal))
    await rehearsal.unsafe(DROP)
    await rehearsal.unsafe(baseline)
    const wanted = new Set(await catalog(rehearsal))
    const [added] = present.difference(wanted)
    const [removed] = wanted.difference(present)
    if (added) difference = `It has: ${shortened(added)}.`
    else if (removed) difference = `It lacks: ${shortened(removed)}.`
    throw undo
  }
  await transaction.savepoint(rehearse).catch((error) => {
    if (error !== undo) difference = `${(error as Error).message}.`
  })
  return difference
}

const shortened = (fact: string) => fact.split('\n')[0]!.slice(0, 100)
