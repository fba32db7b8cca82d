import { useState } from 'react'

import { SavedEarlier } from '../lib/errors.ts'
import { newRequest, type Request, requestInsteadOf } from '../lib/writes.ts'

/**
 * The request with which a form is saved. It stays the same for every attempt, so nothing is saved twice. Once it turns out
 * that an earlier version was saved, the form saves its changes to that.
 */
export function useRequest() {
  const [request, setRequest] = useState(newRequest)
  const send = async <Result>(write: (request: Request) => Promise<Result>): Promise<Result> => {
    try {
      return await write(request)
    } catch (cause) {
      if (cause instanceof SavedEarlier) setRequest(requestInsteadOf(request))
      throw cause
    }
  }
  /** The label of the button that saves. */
  const labelOr = (label: string) => (request.insteadOf === null ? label : 'Save changes')
  return { send, labelOr }
}
