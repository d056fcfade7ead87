#include "ui/view/console/diagnostic_console.h"

#include "core/base/text.h"
#include "core/log/log_place.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/view/access/focus.h"
#include "ui/view/console/log_filter.h"
#include "ui/view/parts/elided_label.h"
#include "ui/view/parts/page_widgets.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace highwater::ui {
namespace {

/// Widths of all columns except the last, in characters.
constexpr std::array kLetters{15, 13, 13};

} // namespace

DiagnosticConsole::DiagnosticConsole(QWidget* parent)
    : QWidget(parent),
      filter_(new LogFilter(this)),
      table_(new PageTable("logLines", tr("Log lines"))),
      level_(new QComboBox),
      text_(new QLineEdit),
      place_(new ElidedLabel({})) {
    build();
}

void DiagnosticConsole::build() {
    setObjectName(QStringLiteral("diagnosticConsole"));
    passFocus(*this, *table_);
    buildTable();
    buildFilter();
    place_->setObjectName(QStringLiteral("logPlace"));
    auto* row = new QHBoxLayout;
    row->addWidget(level_);
    row->addWidget(text_, 1);
    row->addWidget(place_, 1);
    auto* layout = makePageLayout(*this);
    layout->addLayout(row);
    layout->addWidget(table_, 1);
    connect(&model_, &QAbstractItemModel::rowsAboutToBeRemoved, this, &DiagnosticConsole::noteWhetherAtEnd);
    connect(&model_, &QAbstractItemModel::rowsInserted, this, &DiagnosticConsole::followPlace);
    connect(filter_, &QAbstractItemModel::rowsAboutToBeInserted, this, &DiagnosticConsole::noteWhetherAtEnd);
    connect(filter_, &QAbstractItemModel::rowsInserted, this, &DiagnosticConsole::followNewest);
    followPlace();
}

void DiagnosticConsole::buildTable() {
    filter_->setSourceModel(&model_);
    table_->setModel(filter_);
    table_->setRootIsDecorated(false);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    table_->setLetters(kLetters);
    auto* copies = addListAction(*table_, "copyLogLines", tr("&Copy"), QKeySequence::Copy);
    connect(copies, &QAction::triggered, this, &DiagnosticConsole::copy);
}

void DiagnosticConsole::buildFilter() {
    level_->setObjectName(QStringLiteral("logLevel"));
    level_->setAccessibleName(tr("Level"));
    level_->setToolTip(tr("Lowest level of the lines shown; --log-level sets which lines are logged"));
    for (const auto& [text, level] : {std::pair{tr("All levels"), LogLevel::Debug},
                                      {tr("Information and above"), LogLevel::Information},
                                      {tr("Warnings and errors"), LogLevel::Warning},
                                      {tr("Errors"), LogLevel::Error}}) {
        level_->addItem(text, static_cast<int>(level));
    }
    text_->setObjectName(QStringLiteral("logFilter"));
    text_->setAccessibleName(tr("Filter"));
    text_->setPlaceholderText(tr("Filter"));
    text_->setClearButtonEnabled(true);
    connect(level_, &QComboBox::currentIndexChanged, this, [this] {
        filter_->setLeast(static_cast<LogLevel>(level_->currentData().toInt()));
        table_->scrollToBottom();
    });
    connect(text_, &QLineEdit::textChanged, this, [this](const QString& text) {
        filter_->setText(text);
        table_->scrollToBottom();
    });
}

QString DiagnosticConsole::placeText() {
    const auto place = logPlace();
    const auto file = lineText(utf8(place.file)), problem = lineText(place.problem);
    if (!place.isOn) return tr("The log is off.");
    if (place.file.empty()) return problem.isEmpty() ? tr("The log has no file.") : tr("No log file: %1").arg(problem);
    return problem.isEmpty() ? tr("Log file: %1").arg(file) : tr("Logging to %1 stopped because %2").arg(file, problem);
}

void DiagnosticConsole::followPlace() {
    const auto text = placeText();
    if (text != place_->text()) place_->setText(text);
}

void DiagnosticConsole::noteWhetherAtEnd() {
    const auto* bar = table_->verticalScrollBar();
    isAtEnd_ = bar->value() == bar->maximum();
}

void DiagnosticConsole::followNewest() {
    if (isAtEnd_) table_->scrollToBottom();
}

/// A hidden view cannot scroll.
void DiagnosticConsole::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    followPlace();
    if (isAtEnd_) table_->scrollToBottom();
}

void DiagnosticConsole::copy() {
    auto chosen = table_->selectionModel()->selectedRows();
    std::sort(chosen.begin(), chosen.end());
    QStringList lines;
    for (const auto& index : chosen)
        lines << model_.lineText(filter_->mapToSource(index).row());
    if (!lines.isEmpty()) QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

QStringList DiagnosticConsole::newestLines(int most) {
    model_.takeNew();
    QStringList lines;
    for (int row = std::max(0, model_.rowCount() - most); row < model_.rowCount(); ++row)
        lines << model_.lineText(row);
    return lines;
}

} // namespace highwater::ui

#include "moc_diagnostic_console.cpp"
