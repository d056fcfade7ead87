#pragma once

#include <QString>

namespace highwater::ui {

/// What a file with a part of a trace is called until its user says otherwise: "app Heap Allocations.csv" of "app.etl".
/// Without characters that a file system may refuse, and never empty. `suffix` without a dot.
[[nodiscard]] QString proposedFileName(const QString& trace, const QString& part, const QString& suffix);

} // namespace highwater::ui
