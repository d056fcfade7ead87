#include "ui/view/parts/stack_list.h"

#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/view/access/row_height.h"

namespace highwater::ui {

StackList::StackList(QWidget* parent) : QListWidget(parent) {
    setAccessibleName(tr("Stack, innermost function first"));
    useOneRowHeight(*this);
    setTextElideMode(Qt::ElideMiddle);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void StackList::setStack(const std::vector<std::string>& frames, std::size_t owner) {
    clear();
    for (std::size_t i = 0; i < frames.size(); ++i) {
        auto* item = new QListWidgetItem(lineText(frames[i]), this);
        item->setToolTip(tooltipText(toQString(frames[i])));
        if (i != owner) continue;
        auto font = item->font();
        font.setBold(true);
        item->setFont(font);
        setCurrentItem(item);
        scrollToItem(item);
    }
}

QStringList indentedFrames(const std::vector<std::string>& frames) {
    QStringList lines;
    for (const auto& frame : frames)
        lines << QStringLiteral("    ") + visibleText(frame);
    return lines;
}

} // namespace highwater::ui

#include "moc_stack_list.cpp"
