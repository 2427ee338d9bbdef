import { freezePrototype } from "./lib/freeze-prototype";

// Before anything that a site says is read.
freezePrototype(Object.prototype);
