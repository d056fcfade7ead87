#include "ui/view/window/start_page.h"

#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/time_format.h"
#include "ui/view/parts/line_icons.h"
#include "ui/view/parts/plain_widgets.h"

#include <QCommandLinkButton>
#include <QFileInfo>
#include <QHeaderView>
#include <QLocale>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace highwater::ui {
namespace {

constexpr int kPathsRole = Qt::UserRole + 1;
enum RecentColumn { kName, kSize, kDuration, kDate };

} // namespace

QString nameOfTrace(const QStringList& paths) {
    if (paths.isEmpty()) return {};
    const auto first = QFileInfo(paths.first()).fileName();
    const auto others = QString::number(paths.size() - 1);
    return paths.size() == 1 ? first : StartPage::tr("%1 (+%2 more)").arg(first, others);
}

StartPage::StartPage(QWidget* parent)
    : QWidget(parent), recentTitle_(new PlainLabel(tr("Recent traces"))), recent_(new QTreeWidget) {
    build();
    setRecentTraces({});
}

void StartPage::build() {
    setObjectName(QStringLiteral("startPage"));
    auto* title = new PlainLabel(tr("Highwater"));
    auto large = title->font();
    large.setPointSizeF(large.pointSizeF() * 2.2);
    title->setFont(large);
    auto* question = new PlainLabel(tr("Where does a program's memory go, and who keeps it?"));
    buildRecent();
    auto* column = new QVBoxLayout;
    column->setSpacing(10);
    column->addStretch(2);
    column->addWidget(title);
    column->addWidget(question);
    column->addSpacing(14);
    lost_ = new QVBoxLayout;
    column->addLayout(lost_);
    auto* record =
        makeChoice("recordChoice", tr("Record a program"),
                   tr("Start a program and watch where its memory goes (Ctrl+R)."), &StartPage::recordWanted);
    record->setIcon(lineIcon(LineIcon::Record));
    column->addWidget(record);
    auto* open = makeChoice("openChoice", tr("Open a trace"),
                            tr("Choose Windows .etl files (Ctrl+O), or drop them here. Several files make one trace."),
                            &StartPage::openWanted);
    open->setIcon(lineIcon(LineIcon::Open));
    column->addWidget(open);
    example_ = makeChoice("exampleChoice", tr("Try the example"),
                          tr("Records a small program for half a minute: a step, ten spikes and a leak."),
                          &StartPage::exampleWanted);
    example_->setIcon(lineIcon(LineIcon::Play));
    column->addWidget(example_);
    example_->hide();
    column->addSpacing(14);
    column->addWidget(recentTitle_);
    column->addWidget(recent_, 4);
    column->addStretch(1);
    auto* layout = new QHBoxLayout(this);
    layout->addStretch(1);
    layout->addLayout(column, 3);
    layout->addStretch(1);
}

QCommandLinkButton* StartPage::makeChoice(const char* name, const QString& text, const QString& help,
                                          void (StartPage::*wanted)()) {
    auto* choice = new QCommandLinkButton(text, help);
    choice->setObjectName(QLatin1String(name));
    choice->setAccessibleName(text);
    connect(choice, &QCommandLinkButton::clicked, this, wanted);
    return choice;
}

void StartPage::setHasExample(bool has) { example_->setVisible(has); }

QWidget* StartPage::makeLostRecording(const QString& words, int number) {
    auto* strip = new QFrame;
    strip->setObjectName(QStringLiteral("lostRecording"));
    strip->setFrameShape(QFrame::StyledPanel);
    auto* row = new QHBoxLayout(strip);
    auto* label = new PlainLabel;
    label->setSentence(words);
    label->setWordWrap(true);
    row->addWidget(label, 1);
    auto* recover = new QPushButton(tr("Recover"));
    recover->setObjectName(QStringLiteral("recover"));
    recover->setToolTip(tr("Show it. It can be saved then, or discarded"));
    auto* discard = new QPushButton(tr("Discard…"));
    discard->setObjectName(QStringLiteral("discard"));
    row->addWidget(recover);
    row->addWidget(discard);
    connect(recover, &QPushButton::clicked, this, [this, number] { emit recoverWanted(number); });
    connect(discard, &QPushButton::clicked, this, [this, number] { emit discardWanted(number); });
    return strip;
}

void StartPage::setLostRecordings(const QStringList& words) {
    while (const auto* item = lost_->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater(); // its own button may have been clicked
        delete item;
    }
    for (int i = 0; i < words.size(); ++i) {
        lost_->addWidget(makeLostRecording(words[i], i));
    }
}

void StartPage::buildRecent() {
    recent_->setObjectName(QStringLiteral("recentTraces"));
    recent_->setAccessibleName(tr("Recent traces"));
    recent_->setRootIsDecorated(false);
    recent_->setUniformRowHeights(true);
    recent_->setHeaderLabels({tr("Trace"), tr("Size"), tr("Duration"), tr("Date")});
    for (const auto column : {kSize, kDuration}) {
        recent_->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
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
        addRecent(trace);
    }
    recentTitle_->setVisible(!traces.isEmpty());
    recent_->setVisible(!traces.isEmpty());
}

void StartPage::addRecent(const RecentTrace& trace) {
    auto* item = new QTreeWidgetItem(recent_);
    item->setText(kName, lineText(nameOfTrace(trace.paths)));
    item->setToolTip(kName, tooltipText(trace.paths.join(QLatin1Char('\n'))));
    item->setData(kName, kPathsRole, trace.paths);
    item->setText(kSize, formatBytes(trace.bytes));
    if (trace.durationNs > 0) item->setText(kDuration, formatDuration(trace.durationNs));
    for (const auto column : {kSize, kDuration}) {
        item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    item->setText(kDate, QLocale().toString(trace.modified, QLocale::ShortFormat));
    if (trace.state == RecentTrace::State::Changed) {
        item->setText(kName, tr("%1 (changed since)").arg(item->text(kName)));
    } else if (trace.state == RecentTrace::State::Missing) {
        item->setText(kName, tr("%1 (missing)").arg(item->text(kName)));
        for (int column = 0; column < recent_->columnCount(); ++column) {
            item->setForeground(column, palette().brush(QPalette::Disabled, QPalette::Text));
        }
    }
}

} // namespace highwater::ui
