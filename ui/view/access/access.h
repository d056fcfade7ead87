#pragma once

namespace highwater::ui {

/// Installs behaviour that applies to every widget: tooltip placement, focus rings, and screen reader support for
/// widgets that paint themselves. Call it once; further calls have no effect. Needs an application; GUI thread only.
void installAccess();

} // namespace highwater::ui
