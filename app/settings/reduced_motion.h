#pragma once

namespace highwater::app {

/// Whether the system disables animations: on Windows its setting, on Linux those of KDE and GTK. False on GNOME, whose
/// setting only its own libraries can read, and if nothing is set.
[[nodiscard]] bool systemReducesMotion();

} // namespace highwater::app
