import { StartError } from '../embedded/settings.ts'

/** Returns an environment file line. The Supabase CLI parses it like dotenv, which doesn't support escapes in these quotes. */
export function envLine(name: string, value: string): string {
  if (/^[\w.+/-]+$/.test(value)) return `${name}=${value}\n`
  const quote = ["'", '`'].find((quote) => !value.includes(quote))
  if (quote) return `${name}=${quote}${value}${quote}\n`
  throw new StartError("A secret can't contain both ' and `.")
}
