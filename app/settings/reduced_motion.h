#pragma once

namespace highwater::app {

/// Whether the system is set to do without animations: on Windows its setting, on Linux those of KDE and GTK. GNOME
/// keeps its own where only its libraries read it: there, and where nothing is set, false.
[[nodiscard]] bool systemReducesMotion();

} // namespace highwater::app
