#include "app/tools/addresses/page/address_map_finder.h"

#include "core/analysis/rows/row_selection.h"
#include "ui/format/qt_text.h"

#include <algorithm>
#include <cmath>

namespace highwater::ui {
namespace {

constexpr std::uint64_t kRowsAtOnce = 2'000'000; ///< drawn in about 100 ms

/// The opacity of a pixel with this share; any share above zero is visible.
double opacityOf(std::uint16_t share) {
    return share == 0 ? 0 : 0.3 + 0.7 * std::sqrt(static_cast<double>(share) / 65535);
}

/// Blends one colour over another.
struct Blend {
    double red = 0, green = 0, blue = 0, alpha = 0; ///< premultiplied, 0 to 1
    void cover(const QColor& color, double opacity) {
        const auto mine = opacity * color.alphaF();
        red = color.redF() * mine + red * (1 - mine);
        green = color.greenF() * mine + green * (1 - mine);
        blue = color.blueF() * mine + blue * (1 - mine);
        alpha = mine + alpha * (1 - mine);
    }
    [[nodiscard]] QRgb pixel() const {
        const auto byte = [](double value) { return static_cast<int>(std::lround(value * 255)); };
        return qRgba(byte(red), byte(green), byte(blue), byte(alpha));
    }
};

/// Draws thin areas two lines high, because a single dark line on a dark background is easily overlooked.
class SeenShares {
  public:
    SeenShares(const analysis::AddressMap& map, const std::vector<std::uint16_t>& shares)
        : map_(map), shares_(shares) {}
    [[nodiscard]] std::uint16_t at(int column, int line) const {
        if (const auto own = share(column, line); own != 0) return own;
        if (const auto below = share(column, line - 1); below != 0)
            return share(column, line - 2) == 0 ? below : std::uint16_t{0};
        return line + 2 == lines() ? share(column, line + 1) : std::uint16_t{0}; // the highest has no line above it
    }

  private:
    [[nodiscard]] int lines() const { return static_cast<int>(map_.query.lines); }
    [[nodiscard]] std::uint16_t share(int column, int line) const {
        if (line < 0 || line >= lines()) return 0;
        return shares_[map_.at(static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(line))];
    }
    const analysis::AddressMap& map_;
    const std::vector<std::uint16_t>& shares_;
};

QImage pictureOf(const analysis::AddressMap& map, const AddressMapColors& colors) {
    const auto width = static_cast<int>(map.query.columns), height = static_cast<int>(map.query.lines);
    QImage picture(width, height, QImage::Format_ARGB32_Premultiplied);
    if (picture.isNull()) return picture;
    const SeenShares committed(map, map.committed), freed(map, map.freed), kept(map, map.kept);
    for (int line = 0; line < height; ++line) {
        auto* pixels = reinterpret_cast<QRgb*>(picture.scanLine(height - 1 - line));
        for (int column = 0; column < width; ++column) {
            Blend blend;
            blend.cover(colors.committed, opacityOf(committed.at(column, line)));
            blend.cover(colors.freed, opacityOf(freed.at(column, line)));
            blend.cover(colors.kept, opacityOf(kept.at(column, line)));
            pixels[column] = blend.pixel();
        }
    }
    return picture;
}

} // namespace

std::uint32_t firstSampleOf(const store::PublishedTrace& trace) {
    const auto rows = trace.heap.rows + trace.virtualAlloc.rows;
    return static_cast<std::uint32_t>(1 + rows / kRowsAtOnce);
}

Result<AddressMapAnswer> answerAddressMap(const AddressMapRequest& request, const std::stop_token& stop) {
    auto layout = request.layout;
    if (!layout) {
        auto made = analysis::layOutAddresses(*request.trace, request.query.process, request.query.sample, stop);
        if (!made) return analysis::cancelled();
        layout = std::make_shared<const analysis::AddressLayout>(std::move(*made));
    }
    auto query = request.query;
    query.firstPosition = request.window ? layout->positionFrom(request.window->first) : 0;
    query.lastPosition = request.window ? layout->positionFrom(request.window->last) : layout->size();
    if (request.window && query.lastPosition < layout->size()) ++query.lastPosition;
    AddressMapAnswer answer{request.trace, layout, {}, {}};
    answer.map.query = query;
    if (query.firstPosition >= query.lastPosition) return answer;
    answer.map = TRY(analysis::drawAddresses(*request.trace, *layout, query, stop));
    answer.picture = pictureOf(answer.map, request.colors);
    return answer;
}

AddressMapFinder::AddressMapFinder(QObject* parent)
    : QObject(parent),
      finder_(*this, answerAddressMap, [this](const AddressMapRequest& request, Result<AddressMapAnswer> answer) {
          deliver(request, std::move(answer));
      }) {
    finder_.onBusyChange([this] { emit busyChanged(finder_.isBusy()); });
}

void AddressMapFinder::forget() {
    finder_.cancel();
    newest_ = nullptr;
}

void AddressMapFinder::ask(AddressMapRequest request, Urgency urgency) {
    const bool isKnown =
        newest_ && newest_->trace == request.trace && newest_->map.query.process == request.query.process;
    request.layout = isKnown ? newest_->layout : nullptr;
    // While a trace grows, the existing picture is better than one of a sample.
    request.query.sample = urgency == Urgency::Now ? firstSampleOf(*request.trace) : 1;
    finder_.ask(std::move(request), urgency);
}

void AddressMapFinder::deliver(const AddressMapRequest& request, Result<AddressMapAnswer> answer) {
    if (!answer.hasValue()) return emit failed(toQString(answer.error().message));
    const auto shown = std::make_shared<const AddressMapAnswer>(std::move(answer).value());
    if (!shown->isSample()) newest_ = shown;
    if (shown->isSample()) {
        auto whole = request;
        whole.query.sample = 1;
        finder_.ask(std::move(whole), Urgency::Now);
    }
    emit answered(shown);
}

} // namespace highwater::ui

#include "moc_address_map_finder.cpp"
