/**
 * How long the query library keeps what was sent and its answer once their component has gone, in milliseconds: both can have
 * secrets. With zero, a command that still runs then would be looked at without a pause until it ends.
 */
export const keptBriefly = 1_000;
