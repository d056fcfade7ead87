#include "ui/state/series_colors.h"

#include <QGuiApplication>
#include <QPalette>

#include <array>

namespace highwater::ui {
namespace {

constexpr std::array<QRgb, 7> kOkabeIto{0xFF0072B2, 0xFFE69F00, 0xFF009E73, 0xFFD55E00,
                                        0xFFCC79A7, 0xFF56B4E9, 0xFFF0E442};

/// Dark blue is hard to see on a dark ground, yellow on a light one.
QColor readable(QColor color) {
    const auto ground = QGuiApplication::palette().color(QPalette::Base);
    if (ground.lightness() < 128 && color.lightness() < 100) return color.lighter(150);
    if (ground.lightness() >= 128 && color.lightness() > 150 && color.hsvHue() > 50 && color.hsvHue() < 70) {
        return color.darker(135);
    }
    return color;
}

} // namespace

QColor SeriesColors::colorOf(std::uint64_t key) {
    if (!slots_.contains(key)) slots_.insert(key, static_cast<int>(slots_.size()));
    return knownColorOf(key);
}

QColor SeriesColors::knownColorOf(std::uint64_t key) const {
    const auto found = slots_.find(key);
    if (found == slots_.end()) return {};
    return readable(QColor::fromRgb(kOkabeIto[static_cast<std::size_t>(*found) % kOkabeIto.size()]));
}

QColor SeriesColors::neutralColor() {
    const auto palette = QGuiApplication::palette();
    return palette.color(QPalette::Disabled, QPalette::WindowText);
}

} // namespace highwater::ui
