import common from "./common.json";
import mishaps from "./fault-injection.json";
import practice from "./practice.json";
import problems from "./problems.json";
import sites from "./sites.json";

/** Those that the first screen may show. */
export const words = { common, mishaps, practice, problems, sites };
