#pragma once

namespace highwater::app {

/// Whether windows can be shown, as far as this system says before Qt tries: Qt ends the program where there is no
/// display. Whoever names a platform of Qt (QT_QPA_PLATFORM, -platform) is believed. For main().
[[nodiscard]] bool hasDisplay(int argc, char** argv);

} // namespace highwater::app
