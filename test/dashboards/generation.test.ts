import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generateFiles } from '../../src/dashboards/generation.ts';
import { committedFiles, dashboardsFolder } from './committed.ts';

const generated = generateFiles();

test('the committed files are the ones that are built, no more and no less', () => {
  expect(new Set(committedFiles())).toEqual(new Set(generated.keys()));
});

test.each([...generated])('%s is what src/dashboards builds (npm run build:dashboards)', (file, text) => {
  expect(readFileSync(`${dashboardsFolder}${file}`, 'utf8') === text).toBe(true);
});
