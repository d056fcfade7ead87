#include "ui/view/start_page.h"

#include "ui/format/byte_format.h"

#include <QCommandLinkButton>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace highwater::ui {
namespace {

constexpr int kPathsRole = Qt::UserRole + 1;

} // namespace

QString nameOfTrace(const QStringList& paths) {
    if (paths.isEmpty()) return {};
    const auto first = QFileInfo(paths.first()).fileName();
    return paths.size() == 1 ? first : StartPage::tr("%1 (+%2 more)").arg(first).arg(paths.size() - 1);
}

StartPage::StartPage(QWidget* parent)
    : QWidget(parent), recentTitle_(new QLabel(tr("Recent traces"))), recent_(new QTreeWidget) {
    build();
    setRecentTraces({});
}

void StartPage::build() {
    setObjectName(QStringLiteral("startPage"));
    auto* title = new QLabel(tr("Highwater"));
    auto large = title->font();
    large.setPointSizeF(large.pointSizeF() * 2.2);
    title->setFont(large);
    auto* question = new QLabel(tr("Where does a program's memory go, and who keeps it?"));
    buildRecent();
    auto* column = new QVBoxLayout;
    column->setSpacing(10);
    column->addStretch(2);
    column->addWidget(title);
    column->addWidget(question);
    column->addSpacing(14);
    column->addWidget(makeOpenChoice());
    column->addSpacing(14);
    column->addWidget(recentTitle_);
    column->addWidget(recent_, 4);
    column->addStretch(1);
    auto* layout = new QHBoxLayout(this);
    layout->addStretch(1);
    layout->addLayout(column, 3);
    layout->addStretch(1);
}

QWidget* StartPage::makeOpenChoice() {
    auto* open = new QCommandLinkButton(
        tr("Open a trace"), tr("Choose Windows .etl files (Ctrl+O), or drop them here. Several files make one trace."));
    open->setObjectName(QStringLiteral("openChoice"));
    open->setAccessibleName(tr("Open a trace"));
    connect(open, &QCommandLinkButton::clicked, this, &StartPage::openWanted);
    return open;
}

void StartPage::buildRecent() {
    recent_->setObjectName(QStringLiteral("recentTraces"));
    recent_->setAccessibleName(tr("Recent traces"));
    recent_->setRootIsDecorated(false);
    recent_->setUniformRowHeights(true);
    recent_->setHeaderLabels({tr("Trace"), tr("Size"), tr("Date")});
    recent_->headerItem()->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    recent_->header()->setStretchLastSection(false);
    recent_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    recent_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    recent_->setTextElideMode(Qt::ElideMiddle);
    connect(recent_, &QTreeWidget::itemActivated, this,
            [this](QTreeWidgetItem* item) { emit recentWanted(item->data(0, kPathsRole).toStringList()); });
}

void StartPage::setRecentTraces(const QList<RecentTrace>& traces) {
    recent_->clear();
    for (const auto& trace : traces) {
        auto* item = new QTreeWidgetItem(recent_);
        item->setText(0, nameOfTrace(trace.paths));
        item->setToolTip(0, trace.paths.join(QLatin1Char('\n')));
        item->setData(0, kPathsRole, trace.paths);
        item->setText(1, formatBytes(trace.bytes));
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        item->setText(2, QLocale().toString(trace.modified, QLocale::ShortFormat));
    }
    recentTitle_->setVisible(!traces.isEmpty());
    recent_->setVisible(!traces.isEmpty());
}

} // namespace highwater::ui
