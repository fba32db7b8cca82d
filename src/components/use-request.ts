import { useState } from 'react'

import { SavedEarlier } from '../lib/errors.ts'
import { newRequest, type Request, requestInsteadOf } from '../lib/writes.ts'

/** Sends a form with one request key until it is saved. If an earlier version was saved, the next call edits it. */
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
  const labelOr = (label: string) => (request.insteadOf === null ? label : 'Save changes')
  return { send, labelOr }
}
