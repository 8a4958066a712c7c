import { nodeInputs } from './node-inputs.ts';
import { podInputs } from './pod-inputs.ts';

/** Every input, by id. */
export const inputCatalogue = { ...podInputs, ...nodeInputs } as const;

export type InputId = keyof typeof inputCatalogue;

export const inputIds = Object.keys(inputCatalogue) as readonly InputId[];
