#include "tests/ui/support/printed_layout.h"

#include "ui/state/table/layout_edit.h"

#include <QStringList>

namespace highwater::tests {

QString printed(const ui::TableLayout& layout) {
    QStringList words;
    for (int section = 1; section <= sectionCount(layout); ++section) {
        if (section == goldSection(layout)) words << QStringLiteral("|");
        if (section == blueSection(layout)) words << QStringLiteral("|");
        if (const auto* column = columnOfSection(layout, section))
            words << QString::fromStdString(valueColumnName(layout.table, column->value));
    }
    return words.join(QLatin1Char(' '));
}

} // namespace highwater::tests
