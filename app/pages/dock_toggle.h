#pragma once

class QDockWidget;

namespace highwater::app {

/// The toggle action of a dock that lies behind the tab of another one brings it to the front, instead of hiding what
/// is not seen anyway. Once for a dock; GUI thread only.
void raiseBeforeHiding(QDockWidget& dock);

} // namespace highwater::app
