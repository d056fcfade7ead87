#pragma once

#include <QLibrary>

namespace highwater::tests {

/// This program is for Windows, and Wine takes the place of Windows here: some things it does not tell.
inline bool runsUnderWine() { return QLibrary::resolve(QStringLiteral("ntdll"), "wine_get_version") != nullptr; }

} // namespace highwater::tests
