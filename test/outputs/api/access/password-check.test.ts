import { expect, test } from 'vitest';
import { createPasswordCheck } from '../../../../src/outputs/api/access/password-check.ts';

/** A check whose comparisons are counted and end when the test says so; a hash is `#` and the password. */
function counted() {
  const asked: [string, string][] = [];
  const held: (() => void)[] = [];
  let isHolding = false;
  const passwords = createPasswordCheck(async (password, hash) => {
    asked.push([password, hash]);
    if (isHolding) await new Promise<void>((resolve) => held.push(resolve));
    return hash === `#${password}`;
  });
  return {
    passwords,
    asked,
    hold: () => {
      isHolding = true;
    },
    release: () => {
      isHolding = false;
      for (const resolve of held.splice(0)) resolve();
    },
  };
}

const users = new Map([
  ['alice', '#a'],
  ['bob', '#b'],
]);

test.each([
  ['the right password', 'alice', 'a', 'right'],
  ['the password of another', 'alice', 'b', 'wrong'],
  ['an unknown user', 'carol', 'a', 'wrong'],
  ['an unknown user with the password whose hash was compared', 'carol', '', 'wrong'],
])('%s', async (_name, user, password, outcome) => {
  expect(await counted().passwords.check(user, password, users)).toBe(outcome);
});

test('an unknown user costs a comparison too', async () => {
  const { passwords, asked } = counted();
  await passwords.check('carol', 'x', users);
  expect(asked).toHaveLength(1);
});

test('a right password is compared once, a wrong one each time', async () => {
  const { passwords, asked } = counted();
  for (let i = 0; i < 5; i += 1) await passwords.check('alice', 'a', users);
  expect(asked).toHaveLength(1);
  for (let i = 0; i < 5; i += 1) await passwords.check('alice', 'no', users);
  expect(asked).toHaveLength(6);
});

test('a password that was changed is compared anew', async () => {
  const { passwords } = counted();
  expect(await passwords.check('alice', 'a', users)).toBe('right');
  expect(await passwords.check('alice', 'a', new Map([['alice', '#new']]))).toBe('wrong');
});

test('users and passwords that look alike when joined are told apart', async () => {
  const { passwords } = counted();
  const alike = new Map([
    ['a', '#b,c'],
    ['a,b', '#c'],
  ]);
  expect(await passwords.check('a,b', 'c', alike)).toBe('right');
  expect(await passwords.check('a', 'c', alike)).toBe('wrong');
});

test('only the hundred latest are remembered, the one in use among them', async () => {
  const { passwords, asked } = counted();
  const many = new Map(Array.from({ length: 150 }, (_, i) => [`u${i}`, `#p${i}`]));
  for (let i = 0; i < 150; i += 1) {
    await passwords.check(`u${i}`, `p${i}`, many);
    await passwords.check('u0', 'p0', many);
  }
  expect(asked).toHaveLength(150);
  await passwords.check('u149', 'p149', many);
  expect(asked).toHaveLength(150);
  await passwords.check('u1', 'p1', many);
  expect(asked).toHaveLength(151);
});

test('the same question asked at once is answered once', async () => {
  const { passwords, asked, hold, release } = counted();
  hold();
  const answers = Array.from({ length: 10 }, () => passwords.check('alice', 'a', users));
  await new Promise((resolve) => setTimeout(resolve, 5));
  release();
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['right']));
  expect(asked).toHaveLength(1);
});

test('whoever tries passwords is told to wait, and neither blocks those known nor is ever right', async () => {
  const { passwords, asked, hold, release } = counted();
  await passwords.check('bob', 'b', users);
  hold();
  const tries = Array.from({ length: 100 }, (_, i) => passwords.check('alice', `guess ${i}`, users));
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await passwords.check('bob', 'b', users)).toBe('right');
  expect(asked.length).toBeLessThanOrEqual(2);
  release();
  const outcomes = await Promise.all(tries);
  expect(outcomes.filter((outcome) => outcome === 'wrong')).toHaveLength(20);
  expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(80);
});
