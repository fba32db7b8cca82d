/** The result of a check, with a fix unless it is `ok`. Never contains a secret. */
export interface Finding {
  /** `warning`: works, but needs attention. `problem`: doesn't work. */
  mark: 'ok' | 'warning' | 'problem'
  text: string
}

export const ok = (text: string): Finding => ({ mark: 'ok', text })
export const warning = (text: string): Finding => ({ mark: 'warning', text })
export const problem = (text: string): Finding => ({ mark: 'problem', text })

export type Check = () => AsyncIterable<Finding> | Iterable<Finding>
