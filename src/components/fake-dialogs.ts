import { beforeAll } from 'vitest'

/** Adds what jsdom lacks for modal dialogs. */
export function fakeDialogs(): void {
  beforeAll(() =>
    Object.assign(HTMLDialogElement.prototype, {
      showModal(this: HTMLDialogElement) {
        this.open = true
      },
      close(this: HTMLDialogElement) {
        this.open = false
      },
      scrollIntoView: () => undefined,
    }),
  )
}
