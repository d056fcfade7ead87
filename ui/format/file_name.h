#pragma once

#include <QString>

namespace highwater::ui {

/// Default name of a file with a part of a trace: "app Heap Allocations.csv" for "app.etl". The name is never empty and
/// has no characters that a file system may refuse. `suffix` has no dot.
[[nodiscard]] QString proposedFileName(const QString& trace, const QString& part, const QString& suffix);

} // namespace highwater::ui
