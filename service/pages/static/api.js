// Asks the API. The browser sends the token: a cookie that scripts cannot read.
const LONGEST_MS = 20000;

export class RefusedError extends Error {
  constructor(status, detail, seconds) {
    super(detail);
    this.status = status;
    this.seconds = seconds;
  }
}

// Returns what is answered, or null if it is what the entity tag stands for.
export async function ask(path, { method = 'GET', tag = null } = {}) {
  const headers = { Accept: 'application/json' };
  if (tag) headers['If-None-Match'] = tag;
  const answer = await fetch(path, {
    method, headers, cache: 'no-store', signal: AbortSignal.timeout(LONGEST_MS),
  });
  if (answer.status === 304) return null;
  const isJson = answer.headers.get('Content-Type').startsWith('application/json');
  const body = isJson ? await answer.json() : await answer.text();
  if (answer.ok) return { body, tag: answer.headers.get('ETag') };
  const seconds = Number(answer.headers.get('Retry-After')) || 0;
  throw new RefusedError(answer.status, body.detail, seconds);
}
