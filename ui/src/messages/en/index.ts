import common from "./common.json";
import faultInjection from "./fault-injection.json";
import practice from "./practice.json";
import problems from "./problems.json";
import siteProof from "./site-proof.json";
import sites from "./sites.json";

/** Namespaces that the first screen can show. */
export const words = { common, faultInjection, practice, problems, siteProof, sites };
