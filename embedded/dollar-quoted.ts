/** Quotes text with a dollar tag that doesn't occur in it. */
export function dollarQuoted(text: string): string {
  let tag = '$text$'
  for (let tries = 1; text.includes(tag); tries++) tag = `$text${tries}$`
  return `${tag}${text}${tag}`
}
