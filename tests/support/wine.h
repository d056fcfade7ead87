#pragma once

#include <QLibrary>

namespace highwater::tests {

/// This program is for Windows and runs under Wine, which does not report everything that Windows does.
inline bool runsUnderWine() { return QLibrary::resolve(QStringLiteral("ntdll"), "wine_get_version") != nullptr; }

} // namespace highwater::tests
