#include "ui/view/flames/flame_view.h"

#include "ui/format/byte_format.h"
#include "ui/format/count_text.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"
#include "ui/state/analysis_state.h"
#include "ui/state/table/flame_layout.h"
#include "ui/view/access/focus.h"
#include "ui/view/access/row_height.h"
#include "ui/view/flames/flame_picture.h"
#include "ui/view/parts/elided_label.h"
#include "ui/view/parts/picture_dialog.h"
#include "ui/view/parts/picture_file.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QShortcut>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>

namespace highwater::ui {
namespace {

constexpr int kSearchWidth = 220;

QToolButton* makeTextButton(const char* name, const QString& text, const QString& words) {
    auto* button = new QToolButton;
    button->setObjectName(QLatin1String(name));
    button->setText(text);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    keepControlHeight(*button);
    button->setToolTip(tooltipText(words));
    return button;
}

} // namespace

FlameView::FlameView(GraphState& graph, FlameFinder& finder, QWidget* parent)
    : QWidget(parent),
      graph_(graph),
      finder_(finder),
      canvas_(new FlameCanvas),
      measure_(new QComboBox),
      compare_(makeTextButton(
          "flameCompare", tr("Compare"),
          tr("Compare with the preceding interval of the same length: red frames grew, blue frames shrank"))),
      search_(new QLineEdit),
      matches_(new ElidedLabel({})),
      all_(makeTextButton("flameAll", tr("Show All"), tr("Zoom out to all frames (Home; Esc goes back one step)"))),
      words_(new ElidedLabel({})),
      export_(new QAction(tr("&Save Graph As…"), this)) {
    build();
    connectFinder();
    connectCanvas();
    refresh();
    showAnswer(finder_.answer());
}

void FlameView::build() {
    setObjectName(QStringLiteral("flameView"));
    passFocus(*this, *canvas_);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    export_->setObjectName(QStringLiteral("exportFlames"));
    canvas_->setAccessibleDescription(tr("Press arrow keys to move between frames, Enter to zoom, Escape to go back."));
    words_->setObjectName(QStringLiteral("flameWords"));
    words_->setContentsMargins(8, 2, 8, 2);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeBar());
    layout->addWidget(canvas_, 1);
    layout->addWidget(words_);
}

QWidget* FlameView::makeBar() {
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 2, 8, 2);
    row->setSpacing(4);
    measure_->setObjectName(QStringLiteral("flameMeasure"));
    measure_->setAccessibleName(tr("Width of frames"));
    measure_->setToolTip(tr("The value that determines the width of frames; the table is also sorted by it"));
    keepControlHeight(*measure_);
    measure_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    for (const auto measure : analysis::flameMeasuresOf(graph_.table())) {
        const auto name = analysis::columnName(graph_.table(), measure);
        measure_->addItem(toQString(name), static_cast<int>(measure));
    }
    compare_->setCheckable(true);
    search_->setObjectName(QStringLiteral("flameSearch"));
    search_->setAccessibleName(tr("Search frames"));
    search_->setPlaceholderText(tr("Search frames (/)"));
    search_->setClearButtonEnabled(true);
    search_->setMaxLength(kMostInLine);
    search_->setFixedWidth(kSearchWidth);
    keepControlHeight(*search_);
    matches_->setObjectName(QStringLiteral("flameMatches"));
    matches_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    row->addWidget(measure_);
    row->addWidget(compare_);
    row->addWidget(search_);
    row->addWidget(matches_, 1);
    row->addWidget(all_);
    return bar;
}

void FlameView::connectFinder() {
    connect(&finder_, &FlameFinder::answered, this, &FlameView::showAnswer);
    connect(&finder_, &FlameFinder::searchDone, this, &FlameView::showSearch);
    connect(&finder_, &FlameFinder::comparingChanged, this, &FlameView::refresh);
    connect(&graph_, &GraphState::changed, this, &FlameView::refresh);
    connect(&graph_.analysis(), &AnalysisState::changed, this, &FlameView::refresh);
    connect(measure_, &QComboBox::activated, this, &FlameView::chooseMeasure);
    connect(compare_, &QToolButton::toggled, &finder_, &FlameFinder::setComparing);
    connect(search_, &QLineEdit::textChanged, &finder_,
            [this](const QString& text) { finder_.search(text.trimmed()); });
    connect(search_, &QLineEdit::returnPressed, this, [this] {
        const bool isBack = QApplication::keyboardModifiers().testFlag(Qt::ShiftModifier);
        canvas_->goToMatch(isBack ? FlameCanvas::Step::Previous : FlameCanvas::Step::Next);
    });
    auto* leave = new QShortcut(Qt::Key_Escape, search_, nullptr, nullptr, Qt::WidgetShortcut);
    connect(leave, &QShortcut::activated, this, [this] {
        search_->clear();
        canvas_->setFocus();
    });
    connect(export_, &QAction::triggered, this, &FlameView::askForPicture);
}

void FlameView::connectCanvas() {
    connect(canvas_, &FlameCanvas::wordsChanged, this, &FlameView::refreshWords);
    connect(canvas_, &FlameCanvas::zoomChanged, this, &FlameView::refresh);
    connect(canvas_, &FlameCanvas::rowWanted, this,
            [this](std::uint32_t node) { goToRow(canvas_->answer()->tree.path(node)); });
    connect(canvas_, &FlameCanvas::menuWanted, this, &FlameView::showMenu);
    connect(canvas_, &FlameCanvas::searchWanted, this, [this] {
        search_->setFocus(Qt::ShortcutFocusReason);
        search_->selectAll();
    });
    connect(all_, &QToolButton::clicked, canvas_, &FlameCanvas::showAll);
}

void FlameView::showAnswer(std::shared_ptr<const FlameAnswer> answer) {
    if (!answer) hasAskedForNames_ = false;
    const bool hasFrames = answer && std::any_of(answer->tree.labels.begin(), answer->tree.labels.end(),
                                                 [](const auto& label) { return analysis::isStack(label.column); });
    canvas_->setAnswer(std::move(answer));
    if (hasFrames && !std::exchange(hasAskedForNames_, true)) emit namesWanted();
}

void FlameView::showSearch(std::shared_ptr<const FlameSearch> search) {
    QString words;
    if (search) {
        const auto& matches = search->matches;
        const auto count = matches.nodes.size();
        words = count == 0 ? tr("No frame matches")
                           : countText(count, "1 frame, %2 % of all", "%1 frames, %2 % of all")
                                 .arg(matches.share * 100, 0, 'f', 1);
    }
    matches_->setText(words);
    canvas_->setSearch(std::move(search));
}

void FlameView::refresh() {
    const QSignalBlocker quiet(compare_);
    measure_->setCurrentIndex(measure_->findData(static_cast<int>(flameMeasureOf(graph_.layout()))));
    const auto& analysis = graph_.analysis();
    const bool hasBefore = !analysis.instant() && analysis.visibleRange().start > analysis.wholeRange().start;
    compare_->setEnabled(finder_.isComparing() || hasBefore);
    compare_->setChecked(finder_.isComparing());
    all_->setEnabled(canvas_->zoom() != analysis::FlameTree::kRoot);
    canvas_->setRoot(graph_.chart() == ChartType::Icicle ? FlameRoot::Top : FlameRoot::Bottom);
}

void FlameView::refreshWords() { words_->setText(canvas_->words().join(QStringLiteral("  ·  "))); }

void FlameView::chooseMeasure(int index) {
    const auto measure = static_cast<analysis::Column>(measure_->itemData(index).toInt());
    if (measure != flameMeasureOf(graph_.layout())) graph_.setLayout(withFlameMeasure(graph_.layout(), measure));
}

void FlameView::goToRow(const analysis::KeyPath& frame) {
    const auto path = rowOfFrame(graph_.layout(), frame);
    if (path.empty()) return;
    if (graph_.parts() == GraphParts::GraphOnly) graph_.setParts(GraphParts::GraphAndTable);
    emit rowWanted(path);
}

/// Actions store paths, because another answer may arrive while the menu is open.
void FlameView::showMenu(std::uint32_t node, const QPoint& globalPosition) {
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("flameMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto path = canvas_->answer()->tree.path(node);
    menu->addAction(tr("&Zoom In\tEnter"), canvas_,
                    [this, path] {
                        if (canvas_->answer()) canvas_->zoomTo(canvas_->answer()->tree.find(path));
                    })
        ->setEnabled(node != canvas_->zoom());
    menu->addAction(tr("&Back\tEsc"), canvas_, &FlameCanvas::goBack)->setEnabled(canvas_->canGoBack());
    menu->addAction(tr("Show &All\tHome"), canvas_, &FlameCanvas::showAll)->setEnabled(all_->isEnabled());
    menu->addSeparator();
    addFilterActions(*menu, node);
    menu->addSeparator();
    menu->addAction(export_);
    menu->popup(globalPosition);
}

void FlameView::addFilterActions(QMenu& menu, std::uint32_t node) {
    using Mode = analysis::RowFilter::Clause::Mode;
    const auto& tree = canvas_->answer()->tree;
    const auto path = tree.path(node);
    const bool isGroup = node != analysis::FlameTree::kRoot && !tree.nodes[node].isMore();
    const auto hasRow = isGroup && !rowOfFrame(graph_.layout(), path).empty();
    menu.addAction(tr("&Go to Row\tCtrl+Enter"), this, [this, path] { goToRow(path); })->setEnabled(hasRow);
    const auto addFilter = [&](const QString& text, Mode mode) {
        auto* action = menu.addAction(text);
        action->setEnabled(isGroup);
        if (isGroup)
            connect(action, &QAction::triggered, this, [this, step = filterOf(node, mode)]() mutable {
                step.scope = FilterScope::AllGraphs;
                graph_.addFilter(step);
            });
    };
    addFilter(tr("&Filter to This"), Mode::Keep);
    addFilter(tr("Filter &Out"), Mode::Remove);
    const bool isFrame = isGroup && analysis::showsFrames(tree.labels[tree.nodes[node].label].column);
    auto* callers = menu.addAction(tr("Callers and Calle&es"));
    callers->setEnabled(isFrame);
    if (isFrame) {
        const auto function = toQString(tree.labels[tree.nodes[node].label].text);
        connect(callers, &QAction::triggered, this, [this, function] { emit callersWanted(function); });
    }
    menu.addAction(tr("&Copy Name"), this,
                   [text = canvas_->wholeText(node)] { QApplication::clipboard()->setText(text); })
        ->setEnabled(isGroup);
}

/// The chip immediately has the text that the table will give it.
FilterStep FlameView::filterOf(std::uint32_t node, analysis::RowFilter::Clause::Mode mode) const {
    const auto& tree = canvas_->answer()->tree;
    QStringList parts;
    for (auto at = node; at != analysis::FlameTree::kRoot; at = tree.nodes[at].parent) {
        const auto& label = tree.labels[tree.nodes[at].label];
        if (at == node || !analysis::isStack(label.column)) parts.prepend(canvas_->wholeText(at));
    }
    const analysis::RowFilter::Clause clause{mode, {tree.path(node)}};
    return {.clause = clause, .text = labelOf(clause, parts.join(QStringLiteral(" › ")))};
}

QString FlameView::subject() const {
    const auto title = analysis::tableTitle(graph_.table());
    auto text = toQString(title);
    for (const auto& step : graph_.filterSteps())
        text += QStringLiteral(", ") + lineText(step.text);
    if (!canvas_->answer()) return text;
    const auto interval = canvas_->answer()->query.interval;
    return text + QStringLiteral(", ") + formatRange(interval);
}

void FlameView::askForPicture() {
    const auto title = analysis::tableTitle(graph_.table());
    const auto part = toQString(title) + tr(" flames");
    ui::askForPicture(*this, {traceName_ ? traceName_() : QString(), part}, DrawingsAre::Offered,
                      [this](const QString& path, PictureForm form) {
                          const auto problem = form == PictureForm::Drawing
                                                   ? saveDrawingOf(*canvas_, subject(), path)
                                                   : savePicture(pictureOf(*canvas_, subject()), path);
                          if (problem.isEmpty())
                              emit pictureSaved(path);
                          else
                              emit pictureFailed(problem);
                      });
}

} // namespace highwater::ui

#include "moc_flame_view.cpp"
