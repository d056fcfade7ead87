#include "ui/view/analysis/tab_corner.h"

#include "ui/view/access/row_height.h"
#include "ui/view/parts/line_icons.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>

namespace highwater::ui {
namespace {

/// Tabs scroll instead of leaving less than this.
constexpr int kLeastWidth = 320;
constexpr int kCornerMargins = 2;

} // namespace

TabCorner::TabCorner(QTabWidget& tabs, QWidget& history)
    : tabs_(tabs), bar_(tabs.tabBar()), add_(new QToolButton), link_(new QToolButton) {
    add_->setObjectName(QStringLiteral("newAnalysis"));
    add_->setText(QStringLiteral("+"));
    add_->setAutoRaise(true);
    add_->setFocusPolicy(Qt::TabFocus);
    add_->setToolTip(tr("New analysis tab with its own interval (Ctrl+T)"));
    add_->setAccessibleName(tr("New analysis"));
    link_->setObjectName(QStringLiteral("linkTab"));
    link_->setIcon(lineIcon(LineIcon::Link));
    link_->setCheckable(true);
    link_->setAutoRaise(true);
    link_->setFocusPolicy(Qt::TabFocus);
    link_->setToolTip(tr("Link this tab: all linked tabs show the same interval and selection"));
    link_->setAccessibleName(tr("Link this tab"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(add_);
    layout->addWidget(link_);
    layout->addWidget(&history, 1);
    // The breadcrumbs come after these buttons, because they were created earlier and are recreated repeatedly.
    if (auto* first = history.findChild<QToolButton*>(QStringLiteral("historyList"))) setTabOrder(link_, first);
    connect(add_, &QToolButton::clicked, this, &TabCorner::newTabWanted);
    connect(link_, &QToolButton::clicked, this, &TabCorner::linkWanted);
    tabs_.installEventFilter(this);
    tabs_.tabBar()->installEventFilter(this);
}

void TabCorner::showLinked(bool linked) { link_->setChecked(linked); }

QSize TabCorner::sizeHint() const {
    return {std::max(kLeastWidth, tabs_.width() - tabs_.tabBar()->sizeHint().width()),
            controlHeight(fontMetrics()) + kCornerMargins};
}

QSize TabCorner::minimumSizeHint() const { return {kLeastWidth, controlHeight(fontMetrics()) + kCornerMargins}; }

/// A corner widget has the size of its hint, so the hint follows the tabs.
bool TabCorner::eventFilter(QObject* watched, QEvent* event) {
    const bool isResize = watched == &tabs_ && event->type() == QEvent::Resize;
    // Not tabs_.tabBar(), because events also arrive during destruction.
    const bool areOtherTabs = watched == bar_ && event->type() == QEvent::LayoutRequest;
    if (isResize || areOtherTabs) updateGeometry();
    return QWidget::eventFilter(watched, event);
}

} // namespace highwater::ui

#include "moc_tab_corner.cpp"
