#pragma once

#include "core/analysis/columns/columns.h"

#include <QString>
#include <QStringList>

class QWidget;

namespace highwater::ui {

/// What can stand between [ and ] of a query about this table.
[[nodiscard]] QStringList queryColumnNames(analysis::Table table);
/// One line on the operators, for a tooltip.
[[nodiscard]] QString queryOperators();
/// The language on one page, in HTML.
[[nodiscard]] QString queryHelpPage(analysis::Table table);
/// The page beside the window, which stays usable.
void showQueryHelp(QWidget* parent, analysis::Table table);

} // namespace highwater::ui
