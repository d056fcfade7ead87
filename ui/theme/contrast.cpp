#include "ui/theme/contrast.h"

#include <algorithm>
#include <cmath>

namespace highwater::ui {
namespace {

double linear(double channel) {
    return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color) {
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

} // namespace

double contrast(const QColor& one, const QColor& other) {
    const auto [darker, lighter] = std::minmax({luminance(one), luminance(other)});
    return (lighter + 0.05) / (darker + 0.05);
}

QColor blended(const QColor& over, const QColor& ground) {
    const auto part = static_cast<double>(over.alphaF());
    const auto mix = [&](int a, int b) { return static_cast<int>(std::lround(a * part + b * (1 - part))); };
    return {mix(over.red(), ground.red()), mix(over.green(), ground.green()), mix(over.blue(), ground.blue())};
}

} // namespace highwater::ui
