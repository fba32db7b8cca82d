import * as v from 'valibot'

const Config = v.object({
  /** Where Auth, the data API and the functions live. */
  supabaseUrl: v.pipe(v.string(), v.url()),
  /** The public key of the Supabase project; row-level security guards the data, not this key. */
  publishableKey: v.pipe(v.string(), v.nonEmpty()),
  /** Where trip pages and pictures live, without a slash at its end. */
  rwgpsUrl: v.pipe(
    v.string(),
    v.url(),
    v.transform((url) => url.replace(/\/+$/, '')),
  ),
  /** Whether the rides come from the sample account. */
  sample: v.boolean(),
})

export type Config = v.InferOutput<typeof Config>

/** Reads `/config.json`. Rejects when it cannot be fetched or does not have the shape above. */
export async function loadConfig(): Promise<Config> {
  const answer = await fetch('/config.json')
  if (!answer.ok) throw new Error(`/config.json answered ${answer.status}`)
  return v.parse(Config, await answer.json())
}
