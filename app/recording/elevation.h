#pragma once

#include <QStringList>

namespace highwater::app {

/// Whether recording needs administrator rights that this program lacks (Windows, not elevated).
[[nodiscard]] bool needsElevation();

/// Restarts this program with administrator rights and these arguments; the system asks the user. Returns true if it is
/// starting, so this process can exit, or false if the user refused or it is not possible.
[[nodiscard]] bool startElevated(const QStringList& arguments);

/// The arguments of this process plus the option that opens the record page, which the user was about to use.
[[nodiscard]] QStringList argumentsToRecordAgain(const QStringList& own);

} // namespace highwater::app
