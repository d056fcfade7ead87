#include "ui/view/window/recent_list.h"

#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/time_format.h"
#include "ui/theme/theme_colors.h"
#include "ui/view/parts/page_table.h"
#include "ui/view/parts/sparkline.h"
#include "ui/view/window/recent_trace.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHeaderView>
#include <QIconEngine>
#include <QLocale>
#include <QMenu>
#include <QPainter>

#include <utility>

namespace highwater::ui {
namespace {

constexpr int kPathsRole = Qt::UserRole + 1;
constexpr QSize kOutlineSize{24 * kGrid, 6 * kGrid};

/// Painted on demand, so that it follows theme changes.
class OutlineEngine final : public QIconEngine {
  public:
    explicit OutlineEngine(QList<qint64> values) : values_(std::move(values)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State /*state*/) override {
        const auto palette = QGuiApplication::palette();
        const auto color = mode == QIcon::Disabled   ? palette.color(QPalette::Disabled, QPalette::Text)
                           : mode == QIcon::Selected ? palette.color(QPalette::HighlightedText)
                                                     : palette.color(QPalette::Highlight);
        paintSparkline(*painter, QRectF(rect).adjusted(1, 2, -1, -2), values_, color);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }
    [[nodiscard]] QIconEngine* clone() const override { return new OutlineEngine(values_); }

  private:
    QList<qint64> values_;
};

QString folderOf(const QStringList& paths) {
    return paths.isEmpty() ? QString() : QDir::toNativeSeparators(QFileInfo(paths.first()).absolutePath());
}

} // namespace

RecentList::RecentList(QWidget* parent)
    : QTreeWidget(parent),
      open_(new QAction(tr("&Open"), this)),
      remove_(addListAction(*this, "removeRecent", tr("&Remove from the List"), QKeySequence::Delete)) {
    build();
}

void RecentList::build() {
    setObjectName(QStringLiteral("recentTraces"));
    setAccessibleName(tr("Recent traces"));
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setAllColumnsShowFocus(true);
    setIconSize(kOutlineSize);
    setHeaderLabels({tr("Trace"), tr("Folder"), tr("Size"), tr("Duration"), tr("Date")});
    for (const auto column : {Size, Duration})
        headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    for (const auto column : {Name, Folder})
        header()->setSectionResizeMode(column, QHeaderView::Stretch);
    setTextElideMode(Qt::ElideMiddle);
    setContextMenuPolicy(Qt::CustomContextMenu);
    const auto pathsOf = [this] { return currentItem()->data(Name, kPathsRole).toStringList(); };
    connect(this, &QTreeWidget::itemActivated, this,
            [this](QTreeWidgetItem* item) { emit openWanted(item->data(Name, kPathsRole).toStringList()); });
    connect(open_, &QAction::triggered, this, [this, pathsOf] {
        if (currentItem()) emit openWanted(pathsOf());
    });
    connect(remove_, &QAction::triggered, this, [this, pathsOf] {
        if (currentItem()) emit removeWanted(pathsOf());
    });
    connect(this, &QWidget::customContextMenuRequested, this, &RecentList::showMenu);
}

void RecentList::showMenu(QPoint position) {
    if (!currentItem()) return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions({open_, remove_});
    menu->popup(viewport()->mapToGlobal(position));
}

/// Keeps the current row, so that the next one can be removed as well.
void RecentList::setTraces(const QList<RecentTrace>& traces) {
    const auto row = currentItem() ? indexOfTopLevelItem(currentItem()) : -1;
    clear();
    for (const auto& trace : traces)
        addTrace(trace);
    if (row >= 0 && topLevelItemCount() > 0) setCurrentItem(topLevelItem(qMin(row, topLevelItemCount() - 1)));
}

void RecentList::addTrace(const RecentTrace& trace) {
    auto* item = new QTreeWidgetItem(this);
    const auto name = lineText(nameOfTrace(trace.paths));
    const bool isMissing = trace.state == RecentTrace::State::Missing;
    const auto state = isMissing ? tr("%1 (missing)") : tr("%1 (changed since)");
    item->setText(Name, trace.state == RecentTrace::State::Same ? name : state.arg(name));
    item->setToolTip(Name, tooltipText(trace.paths.join(QLatin1Char('\n'))));
    item->setData(Name, kPathsRole, trace.paths);
    item->setIcon(Name, QIcon(new OutlineEngine(trace.outline)));
    item->setText(Folder, lineText(folderOf(trace.paths)));
    item->setToolTip(Folder, tooltipText(folderOf(trace.paths)));
    item->setText(Size, formatBytes(trace.bytes));
    if (trace.durationNs > 0) item->setText(Duration, formatDuration(trace.durationNs));
    for (const auto column : {Size, Duration})
        item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    item->setText(Date, QLocale().toString(trace.modified, QLocale::ShortFormat));
    if (!isMissing) return;
    for (int column = 0; column < columnCount(); ++column)
        item->setForeground(column, palette().brush(QPalette::Disabled, QPalette::Text));
}

} // namespace highwater::ui

#include "moc_recent_list.cpp"
