#include "ui/view/flames/flame_canvas.h"

#include "ui/format/qt_text.h"

#include <QEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace highwater::ui {
namespace {

constexpr int kRowSpace = 4; ///< above and below the text of a row, together
constexpr int kMostSteps = 100;

} // namespace

using analysis::FlameTree;

FlameCanvas::FlameCanvas(QWidget* parent) : QAbstractScrollArea(parent) {
    setObjectName(QStringLiteral("flames"));
    setAccessibleName(tr("Flame graph"));
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    layOut();
}

FlameCanvas::~FlameCanvas() = default;

void FlameCanvas::setAnswer(std::shared_ptr<const FlameAnswer> answer) {
    const auto pathOf = [&](std::uint32_t node) { return answer_ ? answer_->tree.path(node) : analysis::KeyPath(); };
    const auto zoomed = pathOf(zoom_);
    const auto current = current_ ? std::optional(pathOf(*current_)) : std::nullopt;
    answer_ = std::move(answer);
    texts_ = FlameTexts(answer_, font());
    zoom_ = answer_ ? answer_->tree.find(zoomed) : FlameTree::kRoot;
    if (!answer_) zoomsBefore_.clear();
    current_ = answer_ && current ? std::optional(answer_->tree.find(*current)) : std::nullopt;
    layOut();
    emit zoomChanged();
    tellWords();
}

void FlameCanvas::setSearch(std::shared_ptr<const FlameSearch> search) {
    search_ = std::move(search);
    repaintAll();
}

const FlameSearch* FlameCanvas::searchNow() const {
    return search_ && search_->answer == answer_ ? search_.get() : nullptr;
}

void FlameCanvas::setRoot(FlameRoot root) {
    if (root == rows_.root) return;
    rows_.root = root;
    verticalScrollBar()->setValue(0);
    layOut();
    verticalScrollBar()->setValue(root == FlameRoot::Top ? 0 : verticalScrollBar()->maximum());
}

analysis::FlameWindow FlameCanvas::window() const {
    analysis::FlameWindow window;
    window.zoom = zoom_;
    window.width = viewport()->width();
    return window;
}

/// A scrolled flame graph keeps its distance from the root at the bottom, an icicle from the one at the top.
void FlameCanvas::layOut() {
    auto* bar = verticalScrollBar();
    const auto fromRoot = rows_.root == FlameRoot::Top ? bar->value() : bar->maximum() - bar->value();
    rows_.height = fontMetrics().height() + kRowSpace;
    rows_.count = isEmpty() ? 0 : seenRows(answer_->tree, window());
    const auto seen = viewport()->height();
    bar->setSingleStep(rows_.height);
    bar->setPageStep(seen);
    bar->setRange(0, std::max(0, rows_.wholeHeight() - seen));
    bar->setValue(rows_.root == FlameRoot::Top ? fromRoot : bar->maximum() - fromRoot);
    repaintAll();
}

void FlameCanvas::repaintAll() {
    const auto free = std::max(0, viewport()->height() - rows_.wholeHeight());
    rows_.top = (rows_.root == FlameRoot::Top ? 0 : free) - verticalScrollBar()->value();
    picture_ = {};
    viewport()->update();
}

void FlameCanvas::scrollContentsBy(int /*dx*/, int /*dy*/) {
    repaintAll();
    if (pointer_) emit wordsChanged();
}

void FlameCanvas::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    layOut();
}

void FlameCanvas::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() != QEvent::FontChange && event->type() != QEvent::PaletteChange) return;
    texts_ = FlameTexts(answer_, font());
    layOut();
}

// Zoom and current frame

void FlameCanvas::setZoom(std::uint32_t node) {
    zoom_ = node;
    layOut();
    bringIntoSight(node);
    emit zoomChanged();
    tellWords();
}

void FlameCanvas::zoomTo(std::uint32_t node) {
    if (!answer_ || node >= answer_->tree.nodes.size()) return;
    if (answer_->tree.nodes[node].isMore()) node = answer_->tree.nodes[node].parent;
    if (node == zoom_) return;
    if (zoomsBefore_.size() == kMostSteps) zoomsBefore_.erase(zoomsBefore_.begin());
    zoomsBefore_.push_back(answer_->tree.path(zoom_));
    setZoom(node);
}

void FlameCanvas::goBack() {
    if (!answer_ || zoomsBefore_.empty()) return;
    const auto node = answer_->tree.find(zoomsBefore_.back());
    zoomsBefore_.pop_back();
    setZoom(node);
}

void FlameCanvas::setCurrent(std::optional<std::uint32_t> node) {
    current_ = isEmpty() ? std::nullopt : node;
    if (current_) bringIntoSight(*current_);
    viewport()->update();
    tellWords();
}

bool FlameCanvas::isWithinZoom(std::uint32_t node) const {
    const auto& zoom = answer_->tree.nodes[zoom_];
    const auto& of = answer_->tree.nodes[node];
    return of.depth <= zoom.depth
               ? answer_->tree.nodes[node].begin <= zoom.begin && zoom.begin + zoom.width <= of.begin + of.width
               : zoom.begin <= of.begin && of.begin + of.width <= zoom.begin + zoom.width;
}

/// Scrolls to a frame. Does not show frames that are too narrow or outside the zoom.
void FlameCanvas::bringIntoSight(std::uint32_t node) {
    if (isEmpty()) return;
    const auto y = rows_.yOf(answer_->tree.nodes[node].depth);
    auto* bar = verticalScrollBar();
    if (y < 0) bar->setValue(bar->value() + y);
    const auto below = y + rows_.height - viewport()->height();
    if (below > 0) bar->setValue(bar->value() + below);
}

void FlameCanvas::goToMatch(Step step) {
    const auto* search = searchNow();
    if (!search || search->matches.nodes.empty()) return;
    const auto& nodes = search->matches.nodes;
    const auto from = current_.value_or(0);
    auto match = nodes.front();
    if (step == Step::Next) {
        const auto next = std::upper_bound(nodes.begin(), nodes.end(), from);
        if (next != nodes.end()) match = *next;
    } else {
        const auto next = std::lower_bound(nodes.begin(), nodes.end(), from);
        match = next == nodes.begin() ? nodes.back() : *(next - 1);
    }
    pointer_.reset(); // shows the match, although the mouse is on another frame
    if (!isWithinZoom(match) || rectOf(match).isEmpty()) zoomTo(match);
    setCurrent(match);
}

// Positions

QRect FlameCanvas::rectOf(std::uint32_t node) const {
    if (isEmpty() || !isWithinZoom(node)) return {};
    const auto box = layoutNow().boxOf(node);
    if (box.right - box.left < window().narrowest) return {};
    return rows_.rectOf(box);
}

std::optional<analysis::FlameBox> FlameCanvas::boxAt(QPoint place) const {
    if (isEmpty()) return std::nullopt;
    const auto row = rows_.rowAt(place.y());
    if (row < 0) return std::nullopt;
    return layoutNow().at(place.x() + 0.5, static_cast<std::uint32_t>(row));
}

QStringList FlameCanvas::words() const {
    if (!answer_) return {};
    if (isEmpty()) return {texts_.sentences()};
    const auto box = pointer_ ? boxAt(*pointer_) : std::nullopt;
    if (box) return texts_.facts(*box);
    if (current_) return texts_.facts(layoutNow().boxOf(*current_));
    return {texts_.sentences()};
}

void FlameCanvas::tellWords() {
    setAccessibleDescription(current_ && !isEmpty() ? texts_.facts(layoutNow().boxOf(*current_)).join(QLatin1Char('\n'))
                                                    : words().join(QLatin1Char('\n')));
    reportSpokenValue(*this);
    emit wordsChanged();
}

// Painting

void FlameCanvas::drawPicture() {
    const auto ratio = devicePixelRatioF();
    picture_ = QPixmap(viewport()->size() * ratio);
    picture_.setDevicePixelRatio(ratio);
    picture_.fill(palette().color(QPalette::Base));
    QPainter painter(&picture_);
    if (isEmpty()) return paintNothing(painter);
    const auto shownFont = font();
    const auto colors = palette();
    paintedBoxes_ = FlamePainter({answer_->tree, texts_, searchNow(), colors, shownFont}, rows_)
                        .paint(painter, window(), viewport()->rect());
}

void FlameCanvas::paintNothing(QPainter& painter) const {
    if (!answer_) return;
    const auto words = tr("%1 is 0 everywhere in this interval. Choose another value or another interval.")
                           .arg(toQString(answer_->tree.valueName));
    painter.setFont(font());
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(viewport()->rect(), Qt::AlignCenter | Qt::TextWordWrap,
                     answer_->tree.notDrawn < 0 ? texts_.sentences() : words);
}

void FlameCanvas::paintWhole(QPainter& painter, int width) const {
    if (isEmpty()) return;
    auto rows = rows_;
    rows.top = 0;
    auto whole = window();
    whole.width = width;
    const auto shownFont = font();
    const auto colors = palette();
    FlamePainter({answer_->tree, texts_, searchNow(), colors, shownFont}, rows)
        .paint(painter, whole, {0, 0, width, rows.wholeHeight()});
}

void FlameCanvas::paintEvent(QPaintEvent* /*event*/) {
    if (picture_.isNull()) drawPicture();
    QPainter painter(viewport());
    painter.drawPixmap(0, 0, picture_);
    if (!isEmpty()) paintOutlines(painter);
    if (!hasFocus() || current_) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(palette().color(QPalette::Highlight));
    painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
}

void FlameCanvas::paintOutlines(QPainter& painter) {
    painter.setBrush(Qt::NoBrush);
    if (const auto box = pointer_ ? boxAt(*pointer_) : std::nullopt) {
        painter.setPen(QPen(palette().color(QPalette::Text), 1));
        painter.drawRect(rows_.rectOf(*box).adjusted(0, 0, -1, -1));
    }
    if (!current_ || !isWithinZoom(*current_)) return;
    painter.setPen(QPen(palette().color(QPalette::Highlight), hasFocus() ? 3 : 1));
    painter.drawRect(rows_.rectOf(layoutNow().boxOf(*current_)).adjusted(1, 1, -1, -1));
}

} // namespace highwater::ui

#include "moc_flame_canvas.cpp"
