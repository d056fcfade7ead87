#pragma once

namespace highwater::ui {

/// What holds for the whole program, whichever widget it is about: where tool tips stand, how the
/// focus is seen, and what screen readers say of widgets that paint. Once a program; more often
/// does nothing. There must be an application; GUI thread only.
void installAccess();

} // namespace highwater::ui
