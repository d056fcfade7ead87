#pragma once

#include <QStringList>

namespace highwater::app {

/// The system has rights of an administrator that this program lacks and that recording needs: Windows, not elevated.
[[nodiscard]] bool needsElevation();

/// Starts this program once more, with these rights and arguments; the system asks the user. True: it is starting, and
/// this one may go. False: the user refused, or it is not possible here.
[[nodiscard]] bool startElevated(const QStringList& arguments);

/// The arguments for the other one: those of this one, and that it shall ask what to record, as the user had set out
/// to.
[[nodiscard]] QStringList argumentsToRecordAgain(const QStringList& own);

} // namespace highwater::app
