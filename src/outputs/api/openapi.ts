import { z } from 'zod';
import { type Operation, operations } from './operations.ts';
import { answerSchemas, problem, requestSchemas } from './schemas/common.ts';

/** An OpenAPI 3.1 document; its schemas are JSON Schema 2020-12. */
export type OpenApiDocument = Readonly<Record<string, unknown>>;

const statusTexts: Readonly<Record<number, string>> = {
  400: 'The request is wrong; the detail names every field.',
  401: 'The web configuration asks for a password or a token, and none that is right was sent.',
  404: 'It is not in the data of the last refresh.',
  405: 'Another method is needed.',
  409: 'Too little is known of the node.',
  413: 'The body is too large.',
  415: 'The body is not JSON in an encoding that is read.',
  500: 'The request failed; the log of the service says why.',
  503: 'There are no data yet, or too much is asked at once.',
};

/** Built from the very schemas that check requests, and that the tests check answers with. */
export function openApiDocument(version: string): OpenApiDocument {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'evictrank',
      version,
      description:
        'Which pods the kubelet would evict first under memory pressure, how far each is from it, why, and what to change. Numbers that are not known are null.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    // Which of them, if any, is up to the web configuration.
    security: [{}, { basic: [] }, { bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      schemas: { ...namedSchemas(answerSchemas, 'output'), ...namedSchemas(requestSchemas, 'input') },
    },
  };
}

function describe(operation: Operation) {
  const { answer, body, otherMediaTypes = [], problems } = operation;
  return {
    operationId: operation.id,
    summary: operation.summary,
    parameters: [
      ...Object.entries(operation.pathParameters).map(([name, schema]) =>
        parameter('path', name, schema, true),
      ),
      ...Object.entries(operation.query.shape).map(([name, schema]) =>
        parameter('query', name, schema as z.ZodType, false),
      ),
    ],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: json(reference(requestSchemas, body)) } }),
    responses: {
      200: {
        description: operation.summary,
        content: {
          ...json(reference(answerSchemas, answer)),
          ...Object.fromEntries(otherMediaTypes.map((type) => [type, { schema: { type: 'string' } }])),
        },
      },
      ...Object.fromEntries(
        [...problems, 401, 500].map((status) => [
          status,
          {
            description: statusTexts[status],
            content: { 'application/problem+json': { schema: reference(answerSchemas, problem) } },
          },
        ]),
      ),
    },
  };
}

function json(schema: object) {
  return { 'application/json': { schema } };
}

function parameter(place: 'path' | 'query', name: string, schema: z.ZodType, required: boolean) {
  return { name, in: place, required, schema: withoutDialect(z.toJSONSchema(schema, { io: 'input' })) };
}

type SchemaRegistry = typeof answerSchemas;

const uri = (id: string): string => `#/components/schemas/${id}`;

/** @throws RangeError for a schema without a name: a mistake in the table of operations. */
function reference(registry: SchemaRegistry, schema: z.ZodType): { readonly $ref: string } {
  const id = registry.get(schema)?.id;
  if (id === undefined) throw new RangeError('a schema of an operation has no name');
  return { $ref: uri(id) };
}

function namedSchemas(registry: SchemaRegistry, io: 'input' | 'output'): Record<string, unknown> {
  const { schemas } = z.toJSONSchema(registry, { uri, io });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutDialect(schema)]));
}

/** The document as a whole names the dialect, and an `$id` of its own would make every reference leave it. */
function withoutDialect(schema: object): object {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema' && key !== '$id'));
}
