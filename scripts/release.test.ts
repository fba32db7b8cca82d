import { expect, test } from 'vitest'
import { releaseNotes } from './release.ts'

const CHANGELOG = '# Changelog\n\n## 1.1.0 (2027-01-31)\n\n- New.\n\n## 1.0.0\n\n- Old.\n'

test('the notes of a release are the top of the changelog', () => {
  expect(releaseNotes('v1.1.0', '1.1.0', CHANGELOG)).toBe('- New.')
  expect(releaseNotes('v1.0.0', '1.0.0', '# Changelog\n\n## 1.0.0\n\n- Old.\n')).toBe('- Old.')
})

test.each([
  ['v1.1.0', '1.0.0', CHANGELOG],
  ['v1.0.0', '1.1.0', CHANGELOG],
  ['v1.0.0', '1.0.0', CHANGELOG],
  ['1.1.0', '1.1.0', CHANGELOG],
  ['', '1.1.0', CHANGELOG],
  ['v1.1.0', '1.1.0', '# Changelog\n'],
])(
  'a release stops if the tag is "%s", the package is %s and the changelog is %j',
  (tag, version, changelog) => {
    expect(() => releaseNotes(tag, version, changelog)).toThrow(/They must agree\.$/)
  },
)
