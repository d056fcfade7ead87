#include "ui/view/table/find_bar.h"

#include "ui/format/byte_format.h"
#include "ui/format/count_text.h"
#include "ui/format/plain_text.h"
#include "ui/theme/theme_colors.h"
#include "ui/view/parts/elided_label.h"
#include "ui/view/parts/line_icons.h"
#include "ui/view/parts/message_strip.h"
#include "ui/view/parts/plain_widgets.h"
#include "ui/view/parts/query_field.h"
#include "ui/view/parts/query_help.h"

#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

namespace highwater::ui {

using Mode = analysis::RowFilter::Clause::Mode;

namespace {

/// Delay after typing before a text is searched or reported as invalid.
constexpr int kPauseMs = 300;
constexpr int kFieldWidth = 200;

} // namespace

FindBar::FindBar(GraphState& graph, TableFinder& finder, QWidget* parent)
    : QWidget(parent),
      graph_(graph),
      finder_(finder),
      field_(new QueryField(queryColumnNames(graph.table()))),
      count_(new ElidedLabel({})),
      trouble_(new PlainLabel),
      filter_(new QPushButton(tr("Filter to Matches"))) {
    build();
    connectField();
    connect(&finder_, &TableFinder::changed, this, &FindBar::refresh);
    connect(&finder_, &TableFinder::collected, this, &FindBar::filterToGroups);
    connect(&finder_, &TableFinder::found, this, [this](const auto& /*row*/, Direction direction, bool wentRound) {
        round_ = !wentRound                        ? QString()
                 : direction == Direction::Forward ? tr("continued from the top")
                                                   : tr("continued from the bottom");
    });
    refresh();
    hide();
}

void FindBar::build() {
    setObjectName(QStringLiteral("findBar"));
    setAccessibleName(tr("Find"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 2, 8, 2);
    column->setSpacing(4);
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    column->addLayout(row);
    buildRow(*row);
    trouble_->setObjectName(QStringLiteral("findTrouble"));
    trouble_->setWordWrap(true);
    trouble_->setMargin(3);
    trouble_->hide();
    column->addWidget(trouble_);
}

void FindBar::buildRow(QHBoxLayout& row) {
    field_->setObjectName(QStringLiteral("findText"));
    field_->setAccessibleName(tr("Find in the table"));
    field_->setPlaceholderText(tr("Find in all rows: words, or [Size]:>1MB"));
    field_->setToolTip(tooltipText(queryOperators()));
    field_->setClearButtonEnabled(true);
    field_->setMinimumWidth(kFieldWidth);
    row.addWidget(field_, 3);
    previous_ = addButton(row, QStringLiteral("findPreviousButton"), tr("Find previous (Shift+F3)"));
    previous_->setIcon(lineIcon(LineIcon::Up));
    next_ = addButton(row, QStringLiteral("findNextButton"), tr("Find next (F3)"));
    next_->setIcon(lineIcon(LineIcon::Down));
    count_->setObjectName(QStringLiteral("findCount"));
    row.addWidget(count_, 2);
    filter_->setObjectName(QStringLiteral("filterToMatches"));
    filter_->setToolTip(tr("Keep only the matching rows (Ctrl+Enter), or remove them with Shift.\nA query about sums, "
                           "such as [Size]:>1MB, keeps the matching groups with all their rows,\nor the matching "
                           "single rows if no group matches."));
    row.addWidget(filter_);
    auto* help = addButton(row, QStringLiteral("queryHelpButton"), tr("Query language (F1)"));
    help->setText(QStringLiteral("?"));
    connect(help, &QToolButton::clicked, field_, &QueryField::helpWanted);
    auto* close = addButton(row, QStringLiteral("closeFind"), tr("Close (Esc)"));
    close->setIcon(lineIcon(LineIcon::Close));
    connect(close, &QToolButton::clicked, this, &FindBar::close);
}

QToolButton* FindBar::addButton(QHBoxLayout& row, const QString& name, const QString& text) {
    auto* button = new QToolButton;
    button->setObjectName(name);
    button->setAutoRaise(true);
    button->setToolTip(tooltipText(text));
    button->setAccessibleName(text);
    button->setFocusPolicy(Qt::TabFocus);
    row.addWidget(button);
    return button;
}

void FindBar::connectField() {
    typing_.setSingleShot(true);
    typing_.setInterval(kPauseMs);
    connect(&typing_, &QTimer::timeout, this, &FindBar::readText);
    connect(field_, &QLineEdit::textChanged, &typing_, qOverload<>(&QTimer::start));
    connect(field_, &QueryField::nextWanted, this, [this] { step(Direction::Forward); });
    connect(field_, &QueryField::previousWanted, this, [this] { step(Direction::Backward); });
    connect(field_, &QueryField::keepWanted, this, [this] { filter(Mode::Keep); });
    connect(field_, &QueryField::removeWanted, this, [this] { filter(Mode::Remove); });
    connect(field_, &QueryField::closeWanted, this, &FindBar::close);
    connect(field_, &QueryField::helpWanted, this, [this] { showQueryHelp(window(), graph_.table()); });
    connect(next_, &QToolButton::clicked, this, [this] { step(Direction::Forward); });
    connect(previous_, &QToolButton::clicked, this, [this] { step(Direction::Backward); });
    connect(filter_, &QPushButton::clicked, this, [this] {
        filter(QApplication::keyboardModifiers().testFlag(Qt::ShiftModifier) ? Mode::Remove : Mode::Keep);
    });
}

void FindBar::showBar() {
    if (graph_.parts() == GraphParts::GraphOnly) graph_.setParts(GraphParts::GraphAndTable);
    show();
    finder_.setCounting(true);
}

void FindBar::open() {
    showBar();
    field_->setFocus(Qt::ShortcutFocusReason);
    field_->selectAll();
}

void FindBar::edit(std::size_t filterStep) {
    if (filterStep >= graph_.filterSteps().size() || !graph_.filterSteps()[filterStep].query) return;
    edited_ = graph_.filterSteps()[filterStep];
    field_->setText(edited_->text);
    open();
    readText();
}

void FindBar::close() {
    typing_.stop();
    edited_.reset();
    finder_.setCounting(false);
    hide();
    emit closed();
}

void FindBar::readText() {
    typing_.stop();
    round_.clear();
    refusal_.clear();
    finder_.setText(field_->text());
}

void FindBar::step(Direction direction) {
    if (field_->text().trimmed().isEmpty()) return open();
    showBar();
    readText();
    if (const auto& trouble = finder_.trouble()) {
        open();
        if (trouble->length > 0)
            field_->setSelection(trouble->position, trouble->length);
        else
            field_->setCursorPosition(trouble->position);
        return refresh();
    }
    emit stepWanted(direction);
}

// Messages

QString FindBar::countWords() const {
    const auto words = hitWords();
    if (!finder_.waitsForNames() || finder_.trouble()) return words;
    const auto note = tr("function names are still being loaded");
    return words.isEmpty() ? note : words + QStringLiteral(" · ") + note;
}

QString FindBar::hitWords() const {
    if (finder_.isSearching() && !finder_.hits()) return tr("Searching…");
    if (!finder_.expression() || !finder_.hits()) return {};
    const auto& hits = *finder_.hits();
    if (hits.isMore) return countText(hits.count, "More than 1 match", "More than %1 matches");
    if (hits.count == 0 && hits.rows > 0)
        return countText(hits.rows, "1 row matches, no group", "%1 rows match, no group");
    return hits.count == 0 ? tr("No matches") : countText(hits.count, "1 match", "%1 matches");
}

void FindBar::refresh() {
    auto words = countWords();
    if (!round_.isEmpty()) words += QStringLiteral(" · ") + round_;
    count_->setText(words);
    const auto& trouble = finder_.trouble();
    if (!trouble)
        field_->clearMark();
    else if (!typing_.isActive()) // otherwise the text has changed since
        field_->mark(trouble->position, trouble->length);
    sayTrouble(trouble ? trouble->sentence : refusal_);
    filter_->setEnabled(finder_.expression().has_value());
    next_->setEnabled(finder_.expression().has_value());
    previous_->setEnabled(finder_.expression().has_value());
}

void FindBar::sayTrouble(const QString& sentence) {
    trouble_->setText(wrappingText(sentence));
    trouble_->setAccessibleName(sentence);
    trouble_->setVisible(!sentence.isEmpty());
    paintTrouble();
}

void FindBar::paintTrouble() {
    painting_ = true;
    auto colors = QPalette();
    colors.setColor(QPalette::Window, amberGround(colors));
    trouble_->setPalette(colors);
    trouble_->setAutoFillBackground(true);
    painting_ = false;
}

void FindBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !painting_) paintTrouble();
}

// The query as a filter

FilterStep FindBar::filterStep(Mode mode) const {
    const auto text = field_->text().trimmed();
    if (mode == Mode::Keep) return {.clause = {}, .text = text, .query = finder_.expression()};
    const auto inverse = QStringLiteral("NOT (%1)").arg(text);
    const auto parsed = analysis::QueryExpression::parse(graph_.table(), inverse.toStdString());
    FilterStep step{.clause = {}, .text = inverse, .query = std::nullopt};
    if (parsed.hasValue()) step.query = parsed.value();
    return step;
}

std::optional<std::size_t> FindBar::editedPosition() const {
    if (!edited_) return std::nullopt;
    const auto& steps = graph_.filterSteps();
    const auto place = std::find(steps.begin(), steps.end(), *edited_);
    if (place == steps.end()) return std::nullopt;
    return static_cast<std::size_t>(place - steps.begin());
}

void FindBar::filterToGroups(const std::optional<std::vector<analysis::KeyPath>>& groups) {
    refusal_.clear();
    if (!groups)
        refusal_ = tr("More than %1 groups match, which is too many for a filter.").arg(formatCount(kMostFoundGroups));
    else if (groups->empty() && finder_.hits() && finder_.hits()->rows > 0)
        return filterToRows(collectedFor_);
    else if (groups->empty())
        refusal_ = tr("Nothing matches.");
    else
        graph_.addFilter(
            {.clause = {collectedFor_, *groups}, .text = field_->text().trimmed(), .scope = FilterScope::AllGraphs});
    refresh();
}

void FindBar::filter(Mode mode) {
    readText();
    if (!finder_.expression()) return;
    const bool isRefused = finder_.expression()->usesSeriesName(); // the reason is shown below
    if (editedPosition() || isRefused || !isAboutGroups(*finder_.expression())) return filterToRows(mode);
    collectedFor_ = mode;
    finder_.collect();
}

void FindBar::filterToRows(Mode mode) {
    auto step = filterStep(mode);
    step.scope = edited_ ? edited_->scope : FilterScope::AllGraphs;
    const auto position = editedPosition();
    refusal_ = step.query ? graph_.refusal(step, position) : tr("This query is nested too deeply to be inverted.");
    if (!refusal_.isEmpty()) return refresh();
    edited_.reset();
    if (position)
        graph_.replaceFilter(*position, step);
    else
        graph_.addFilter(step);
}

} // namespace highwater::ui

#include "moc_find_bar.cpp"
