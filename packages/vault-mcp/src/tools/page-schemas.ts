import { pageFields } from "@mcp-file-servers/core";

const { omitted: _, ...fields } = pageFields;

/** The last fields of a page whose entries are always small: nothing is ever left out of one. */
export const smallPageFields = fields;
