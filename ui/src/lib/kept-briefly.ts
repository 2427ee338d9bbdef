/**
 * Time for which the query library keeps a command and its response after their component is gone, in milliseconds.
 * Short, because both can hold secrets; not zero, because the query library would then poll a command that is still
 * running without a pause.
 */
export const keptBriefly = 1_000;
