/** Texts that an entry's link may have. */
export const LINKS = [
  'https://shop.example/chain?id=7#price',
  'http://192.168.1.5:8080/manual.pdf',
  'HTTPS://WWW.SHOP.EXAMPLE',
  'https://user@münchen.example/ä🚲',
]

/** Texts that it may not have, in forms, files, the API and the database. */
export const NOT_LINKS = [
  'javascript:alert(1)',
  ' JavaScript://shop.example/%0aalert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://shop.example/1',
  'shop.example',
  '//shop.example',
  'https:shop.example',
  'https:/shop.example',
  'https://',
  'https:///path',
  'http://?q',
  'https://shop.example/a b',
  'https://shop.example/\njavascript:alert(1)',
  '\u0001https://shop.example',
]
