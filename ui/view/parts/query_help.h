#pragma once

#include "core/analysis/columns/columns.h"

#include <QString>
#include <QStringList>

class QWidget;

namespace highwater::ui {

/// Names allowed between [ and ] in a query on this table.
[[nodiscard]] QStringList queryColumnNames(analysis::Table table);
/// Summary of the operators for a tooltip.
[[nodiscard]] QString queryOperators();
/// The query language as an HTML page.
[[nodiscard]] QString queryHelpPage(analysis::Table table);
/// Shows the page in a non-modal window.
void showQueryHelp(QWidget* parent, analysis::Table table);

} // namespace highwater::ui
