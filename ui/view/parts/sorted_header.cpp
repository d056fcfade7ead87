#include "ui/view/parts/sorted_header.h"

#include <QHeaderView>
#include <QStyleOptionHeader>
#include <QTreeView>

namespace highwater::ui {
namespace {

class SortedHeader : public QHeaderView {
  public:
    explicit SortedHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
        // As in the header that a tree creates itself.
        setSectionsMovable(true);
        setStretchLastSection(true);
        setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        setSectionsClickable(true);
    }

  protected:
    void initStyleOptionForIndex(QStyleOptionHeader* option, int section) const override {
        QHeaderView::initStyleOptionForIndex(option, section);
        if (option->sortIndicator == QStyleOptionHeader::SortDown)
            option->sortIndicator = QStyleOptionHeader::SortUp;
        else if (option->sortIndicator == QStyleOptionHeader::SortUp)
            option->sortIndicator = QStyleOptionHeader::SortDown;
    }
};

} // namespace

void sortByHeader(QTreeView& list) {
    list.setHeader(new SortedHeader(&list));
    list.setSortingEnabled(true);
}

} // namespace highwater::ui
