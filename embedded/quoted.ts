/** Quotes text for SQL. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
