#include "app/tools/addresses/page/address_map_canvas.h"

#include "ui/view/timeline/timeline_axes.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace highwater::ui {
namespace {

constexpr double kLeastPositions = 64; ///< bytes from top to bottom
constexpr double kZoomOfKey = 0.5, kPanOfKey = 0.2;
constexpr int kOutlineHeight = 4; ///< pixels; lower parts are distinguished only by shade
constexpr std::size_t kMostWindows = 100;
constexpr int kUsualBits = 48; ///< typical width of a user-space address; higher ones need more room
constexpr int kTick = 4;
constexpr int kMostSteps = 8; ///< labels between those of parts

QString addressText(Address address) { return QStringLiteral("0x") + QString::number(address, 16); }

QColor faded(QColor color, double alpha) {
    color.setAlphaF(static_cast<float>(alpha));
    return color;
}

} // namespace

AddressMapCanvas::AddressMapCanvas(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("addressMap"));
    setAccessibleName(tr("Addresses over time"));
    setAccessibleDescription(tr("Press arrow keys to pan, + and - to zoom, Home to show all, Backspace to go back."));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

AddressMapColors AddressMapCanvas::colorsOf(const QPalette& palette) {
    const auto text = palette.color(QPalette::Text);
    return {faded(text, 0.14), palette.color(QPalette::Highlight), faded(text, 0.5)};
}

bool AddressMapCanvas::isEmpty() const { return !answer_ || answer_->layout->size() == 0 || interval_.isEmpty(); }

QRect AddressMapCanvas::plot() const {
    const auto letters = fontMetrics();
    const bool isHigh = answer_ && answer_->layout->size() > 0 &&
                        answer_->layout->addressAt(answer_->layout->size() - 1) >> kUsualBits != 0;
    int digit = 0;
    for (const auto letter : QStringLiteral("0123456789abcdef"))
        digit = std::max(digit, letters.horizontalAdvance(letter));
    const int left = letters.horizontalAdvance(QStringLiteral("0x")) + digit * (isHigh ? 16 : 12) + kTick + 6;
    return rect().adjusted(left, 2, -8, -letters.height() - 6);
}

std::pair<double, double> AddressMapCanvas::shownPositions() const {
    if (!answer_) return {0, 1};
    const auto& layout = *answer_->layout;
    const auto size = static_cast<double>(std::max<std::uint64_t>(1, layout.size()));
    if (!window_) return {0, size};
    const auto first = static_cast<double>(layout.positionFrom(window_->first));
    const auto last = static_cast<double>(layout.positionFrom(window_->last)) + 1;
    return first + 1 > last ? std::pair(first, first + 1) : std::pair(first, last);
}

double AddressMapCanvas::yOfPosition(double position) const {
    const auto [first, last] = shownPositions();
    const QRectF area = plot();
    return area.bottom() - (position - first) / (last - first) * area.height();
}

double AddressMapCanvas::positionAt(double y) const {
    const auto [first, last] = shownPositions();
    const QRectF area = plot();
    return first + (area.bottom() - y) / area.height() * (last - first);
}

TraceTime AddressMapCanvas::timeAt(double x) const { return TimelineCoordinates{interval_, plot()}.timeAt(x); }

std::optional<int> AddressMapCanvas::yOf(Address address) const {
    const auto position = isEmpty() ? std::nullopt : answer_->layout->positionOf(address);
    if (!position) return std::nullopt;
    const auto y = static_cast<int>(std::floor(yOfPosition(static_cast<double>(*position) + 0.5)));
    return y >= plot().top() && y <= plot().bottom() ? std::optional(y) : std::nullopt;
}

std::optional<AddressMapCanvas::Place> AddressMapCanvas::placeAt(QPoint point) const {
    if (isEmpty() || !plot().contains(point)) return std::nullopt;
    const auto position = positionAt(point.y() + 0.5);
    const auto size = answer_->layout->size();
    if (position < 0 || position >= static_cast<double>(size)) return std::nullopt;
    const auto whole = std::min(static_cast<std::uint64_t>(position), size - 1);
    return Place{answer_->layout->addressAt(whole), timeAt(point.x() + 0.5)};
}

QString AddressMapCanvas::spokenValue() const {
    if (isEmpty()) return {};
    const auto& layout = *answer_->layout;
    const auto window = window_.value_or(AddressWindow{layout.addressAt(0), layout.addressAt(layout.size() - 1)});
    return tr("%1 to %2").arg(addressText(window.first), addressText(window.last));
}

void AddressMapCanvas::setAnswer(std::shared_ptr<const AddressMapAnswer> answer) {
    const auto before = plot();
    answer_ = std::move(answer);
    update();
    if (answer_ && plot() != before) emit pictureWanted();
}

void AddressMapCanvas::setInterval(TimeRange interval) {
    if (interval == interval_) return;
    interval_ = interval;
    update();
}

void AddressMapCanvas::forget() {
    window_.reset();
    before_.clear();
    highlight_.reset();
    setAnswer(nullptr);
}

void AddressMapCanvas::setHighlight(std::optional<Address> address) {
    highlight_ = address;
    const auto position = !isEmpty() && address ? answer_->layout->positionOf(*address) : std::nullopt;
    // Scrolls the position into view without changing the zoom.
    if (position && !yOf(*address)) {
        const auto [first, last] = shownPositions();
        const auto middle = static_cast<double>(*position);
        showPositions(middle - (last - first) / 2, middle + (last - first) / 2, true);
    }
    update();
}

/// Clamps the range to the content, keeping its length if possible.
void AddressMapCanvas::showPositions(double first, double last, bool isStep) {
    if (isEmpty()) return;
    const auto& layout = *answer_->layout;
    const auto size = static_cast<double>(layout.size());
    const auto length = std::clamp(last - first, std::min(kLeastPositions, size), size);
    first = std::clamp((first + last - length) / 2, 0.0, size - length);
    std::optional<AddressWindow> window;
    if (length < size) {
        const auto low = std::min(static_cast<std::uint64_t>(first), layout.size() - 1);
        const auto high = std::min(static_cast<std::uint64_t>(first + length), layout.size()) - 1;
        window = AddressWindow{layout.addressAt(low), layout.addressAt(std::max(low, high))};
    }
    if (window == window_) return;
    if (isStep && before_.size() < kMostWindows) before_.push_back(window_);
    window_ = window;
    update();
    reportSpokenValue(*this);
    emit pictureWanted();
}

void AddressMapCanvas::zoomAddresses(double factor, double y) {
    const auto [first, last] = shownPositions();
    const auto held = std::clamp(positionAt(y), first, last);
    showPositions(held - (held - first) * factor, held + (last - held) * factor, true);
}

void AddressMapCanvas::zoomTime(double factor, double x, ZoomStep step) {
    const auto held = static_cast<double>(timeAt(x).ns);
    const auto start = held - (held - static_cast<double>(interval_.start.ns)) * factor;
    const auto end = held + (static_cast<double>(interval_.end.ns) - held) * factor;
    const auto toTime = [](double ns) {
        constexpr double kMost = 9e18;
        return TraceTime{static_cast<std::int64_t>(std::clamp(ns, -kMost, kMost))};
    };
    emit zoomWanted({toTime(start), toTime(end)}, step);
}

bool AddressMapCanvas::event(QEvent* event) {
    // Otherwise shortcuts of the window's menus would take these keys.
    if (event->type() == QEvent::ShortcutOverride && !isEmpty()) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool isOwn = key->key() == Qt::Key_Backspace || key->key() == Qt::Key_Home;
        if (isOwn && key->modifiers() == Qt::NoModifier) event->accept();
    }
    return QWidget::event(event);
}

void AddressMapCanvas::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    emit pictureWanted();
}

void AddressMapCanvas::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) emit pictureWanted();
}

void AddressMapCanvas::wheelEvent(QWheelEvent* event) {
    const auto delta = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
    if (isEmpty() || delta == 0) return event->ignore();
    event->accept();
    const auto factor = std::pow(2.0, -static_cast<double>(delta) / 240);
    const auto modifiers = event->modifiers();
    if (!modifiers.testFlag(Qt::ShiftModifier))
        zoomAddresses(factor, event->position().y() + 0.5); // the middle of a pixel
    if (!modifiers.testFlag(Qt::ControlModifier)) zoomTime(factor, event->position().x(), ZoomStep::Continued);
}

void AddressMapCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !placeAt(event->pos())) return;
    pressed_ = event->pos();
    dragged_ = {};
}

void AddressMapCanvas::mouseMoveEvent(QMouseEvent* event) {
    emit pointedAt(placeAt(event->pos()));
    if (!pressed_) return;
    const bool isFar = (event->pos() - *pressed_).manhattanLength() >= QApplication::startDragDistance();
    if (!isFar && dragged_.isNull()) return;
    dragged_ = QRect(*pressed_, event->pos()).normalized().intersected(plot());
    update();
}

void AddressMapCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !pressed_) return;
    const auto place = placeAt(*pressed_);
    pressed_.reset();
    if (!dragged_.isNull()) return zoomToDragged();
    if (place) emit clicked(*place);
}

void AddressMapCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto place = placeAt(event->pos());
    if (place && event->button() == Qt::LeftButton) emit doubleClicked(*place);
}

/// A thin rectangle selects the whole extent in the thin direction.
void AddressMapCanvas::zoomToDragged() {
    const auto area = std::exchange(dragged_, {});
    constexpr int kThin = 6;
    const auto top = positionAt(area.top()), bottom = positionAt(area.bottom() + 1);
    const TimeRange time{timeAt(area.left()), timeAt(area.right() + 1)};
    if (area.height() >= kThin) showPositions(bottom, top, true);
    if (area.width() >= kThin) emit zoomWanted(time, ZoomStep::Own);
    update();
}

void AddressMapCanvas::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    emit pointedAt(std::nullopt);
}

void AddressMapCanvas::keyPressEvent(QKeyEvent* event) {
    const bool isPlain = (event->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) == Qt::NoModifier;
    if (isPlain && !isEmpty() && handleKey(event->key())) return event->accept();
    QWidget::keyPressEvent(event);
}

bool AddressMapCanvas::handleKey(int key) {
    const auto [first, last] = shownPositions();
    const auto step = (last - first) * kPanOfKey;
    const auto center = QRectF(plot()).center();
    const auto pan = static_cast<qint64>(static_cast<double>(interval_.end.ns - interval_.start.ns) * kPanOfKey);
    switch (key) {
    case Qt::Key_Up:
        return showPositions(first + step, last + step, false), true;
    case Qt::Key_Down:
        return showPositions(first - step, last - step, false), true;
    case Qt::Key_Left:
        emit panWanted(-pan);
        return true;
    case Qt::Key_Right:
        emit panWanted(pan);
        return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_Minus: {
        const auto factor = key == Qt::Key_Minus ? 1 / kZoomOfKey : kZoomOfKey;
        zoomAddresses(factor, center.y());
        zoomTime(factor, center.x(), ZoomStep::Continued);
        return true;
    }
    case Qt::Key_Space:
        emit toggled();
        return true;
    case Qt::Key_Home:
        showPositions(0, static_cast<double>(answer_->layout->size()), true);
        emit allWanted();
        return true;
    case Qt::Key_Backspace:
        if (before_.empty()) return false;
        window_ = before_.back();
        before_.pop_back();
        update();
        reportSpokenValue(*this);
        emit pictureWanted();
        return true;
    default:
        return false;
    }
}

void AddressMapCanvas::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (isEmpty()) return;
    painter.save();
    painter.setClipRect(plot());
    paintPicture(painter);
    paintRows(painter);
    painter.restore();
    paintAddresses(painter);
    paintTimes(painter);
    if (!dragged_.isNull()) {
        painter.fillRect(dragged_, faded(palette().color(QPalette::Highlight), 0.25));
        painter.setPen(palette().color(QPalette::Highlight));
        painter.drawRect(dragged_);
    }
    painter.setPen(palette().color(hasFocus() ? QPalette::Highlight : QPalette::Mid));
    painter.drawRect(plot().adjusted(-1, -1, 0, 0));
}

/// Draws the last picture stretched to its current position until the next one arrives.
void AddressMapCanvas::paintPicture(QPainter& painter) const {
    const auto& query = answer_->map.query;
    if (answer_->picture.isNull()) return;
    const TimelineCoordinates coordinates{interval_, plot()};
    const auto left = coordinates.xOf(query.interval.start), right = coordinates.xOf(query.interval.end);
    const auto top = yOfPosition(static_cast<double>(query.lastPosition));
    const auto bottom = yOfPosition(static_cast<double>(query.firstPosition));
    painter.drawImage(QRectF(QPointF(left, top), QPointF(right, bottom)), answer_->picture);
}

QRectF AddressMapCanvas::rectOf(const analysis::AddressMap::Row& row) const {
    const TimelineCoordinates coordinates{interval_, plot()};
    const auto top = yOfPosition(static_cast<double>(row.position + row.size));
    const auto left = coordinates.xOf(std::max(row.begin, interval_.start));
    const auto right = coordinates.xOf(std::min(row.end, interval_.end));
    return {QPointF(left, top), QPointF(right, yOfPosition(static_cast<double>(row.position)))};
}

void AddressMapCanvas::paintRows(QPainter& painter) const {
    painter.setPen(faded(palette().color(QPalette::Base), 0.8));
    for (const auto& row : answer_->map.rows) {
        const auto box = rectOf(row);
        if (row.table == store::TableKind::Heap && box.height() >= kOutlineHeight && box.width() >= 2)
            painter.drawRect(box);
    }
}

/// Round addresses of each part: multiples of a power of two, as many as fit.
std::vector<double> AddressMapCanvas::evenPositions() const {
    const auto [first, last] = shownPositions();
    std::uint64_t step = 16;
    while (static_cast<double>(step) * kMostSteps < last - first)
        step *= 2;
    std::vector<double> positions;
    for (const auto& part : answer_->layout->parts()) {
        const auto from = static_cast<std::uint64_t>(std::max(first, static_cast<double>(part.position)));
        if (from >= part.end() || static_cast<double>(part.position) >= last) continue;
        const auto address = part.first + (from - part.position);
        const auto above = (step - address % step) % step;
        if (above >= part.end() - from) continue;
        for (auto at = from + above; at < part.end() && static_cast<double>(at) < last; at += step)
            positions.push_back(static_cast<double>(at));
    }
    return positions;
}

/// A line at the start of each part, and address labels where there is room.
void AddressMapCanvas::paintAddresses(QPainter& painter) const {
    const auto area = plot();
    const auto letters = fontMetrics();
    std::vector<int> taken;
    const auto label = [&](double position, const QColor& color) {
        const auto y = static_cast<int>(yOfPosition(position));
        const int middle = std::clamp(y, area.top() + letters.height() / 2, area.bottom() - letters.height() / 2);
        const bool hasRoom = std::none_of(taken.begin(), taken.end(),
                                          [&](int other) { return std::abs(other - middle) < letters.height(); });
        if (!hasRoom) return;
        taken.push_back(middle);
        painter.setPen(palette().color(QPalette::Mid));
        painter.drawLine(area.left() - kTick, y, area.left() - 1, y);
        const auto whole = std::min(static_cast<std::uint64_t>(std::max(0.0, position)), answer_->layout->size() - 1);
        painter.setPen(color);
        painter.drawText(QRect(0, middle - letters.height() / 2, area.left() - kTick - 3, letters.height()),
                         Qt::AlignRight | Qt::AlignVCenter, addressText(answer_->layout->addressAt(whole)));
    };
    const auto text = palette().color(QPalette::Text);
    if (highlight_) {
        if (const auto y = yOf(*highlight_)) {
            painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
            painter.drawLine(area.left(), *y, area.right(), *y);
            label(static_cast<double>(*answer_->layout->positionOf(*highlight_)), palette().color(QPalette::Highlight));
        }
    }
    const auto [first, last] = shownPositions();
    if (!window_) label(first, text);
    for (const auto& part : answer_->layout->parts()) {
        const auto position = static_cast<double>(part.position);
        if (position <= first || position >= last) continue;
        painter.setPen(QPen(palette().color(QPalette::Mid), 1, Qt::DashLine));
        const auto y = static_cast<int>(yOfPosition(position));
        if (answer_->layout->parts().size() <= static_cast<std::size_t>(area.height()) / 4)
            painter.drawLine(area.left(), y, area.right(), y);
        label(position, text);
    }
    for (const auto position : evenPositions())
        label(position, faded(text, 0.75));
    if (taken.empty()) label(first, text);
}

void AddressMapCanvas::paintTimes(QPainter& painter) const {
    const TimelineCoordinates coordinates{interval_, plot()};
    painter.setPen(palette().color(QPalette::Text));
    for (const auto& tick : timeTicksThatFit(interval_, plot().width(), fontMetrics(), 16)) {
        const auto width = fontMetrics().horizontalAdvance(tick.label) + 4;
        const auto x = static_cast<int>(coordinates.xOf(TraceTime{static_cast<std::int64_t>(tick.value)}));
        if (x < plot().left() || x > plot().right()) continue;
        painter.drawLine(x, plot().bottom() + 1, x, plot().bottom() + 4);
        const auto left = std::clamp(x - width / 2, 0, std::max(0, this->width() - width));
        painter.drawText(QRect(left, plot().bottom() + 4, width, fontMetrics().height()), Qt::AlignCenter, tick.label);
    }
}

} // namespace highwater::ui

#include "moc_address_map_canvas.cpp"
