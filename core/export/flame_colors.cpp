#include "core/export/flame_colors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace highwater::exports {
namespace {

/// FNV-1a, so that colours are the same in every process and on every system.
std::uint32_t hashOf(std::string_view text) {
    std::uint32_t hash = 2166136261u;
    for (const auto c : text)
        hash = (hash ^ static_cast<std::uint8_t>(c)) * 16777619u;
    return hash;
}

/// hue in degrees; the other values are between 0 and 1.
FlameColor fromHsl(double hue, double saturation, double lightness) {
    const auto reach = saturation * std::min(lightness, 1 - lightness);
    const auto channel = [&](double place) {
        const auto k = std::fmod(place + hue / 30, 12.0);
        const auto value = lightness - reach * std::max(-1.0, std::min({k - 3, 9 - k, 1.0}));
        return static_cast<std::uint8_t>(std::lround(value * 255));
    };
    return {channel(0), channel(8), channel(4)};
}

double lightnessOf(FlameGround ground, double light, double dark) {
    return ground == FlameGround::Light ? light : dark;
}

/// The module in "module.dll!function".
std::string_view moduleOf(std::string_view label) { return label.substr(0, label.find('!')); }

FlameColor differenceColor(const analysis::FlameNode& node, FlameGround ground) {
    const auto most = static_cast<double>(std::max({node.now, node.before, SignedByteCount{0}}));
    const auto change = static_cast<double>(node.now) - static_cast<double>(node.before);
    const auto share = most > 0 ? std::clamp(change / most, -1.0, 1.0) : 0.0;
    const auto strength = std::abs(share);
    return fromHsl(share < 0 ? 215 : 8, strength * 0.8,
                   lightnessOf(ground, 0.88 - 0.22 * strength, 0.28 + 0.12 * strength));
}

} // namespace

FlameColor flameColorOf(const analysis::FlameTree& tree, std::uint32_t node, FlameGround ground) {
    const auto& of = tree.nodes[node];
    if (tree.hasBefore) return differenceColor(of, ground);
    const bool isFrame =
        node != analysis::FlameTree::kRoot && !of.isMore() && analysis::isStack(tree.labels[of.label].column);
    if (!isFrame) return fromHsl(0, 0, lightnessOf(ground, of.isMore() ? 0.78 : 0.86, of.isMore() ? 0.34 : 0.27));
    const auto hash = hashOf(moduleOf(tree.labels[of.label].text));
    const auto hue = 8 + hash % 48; // red to yellow
    // Yellow looks brighter than red of the same lightness, and white text would not be readable on it.
    const auto dark = 0.33 - 0.10 * (hue - 8) / 48 + (hash / 48 % 3) * 0.02;
    return fromHsl(hue, lightnessOf(ground, 0.85, 0.55), lightnessOf(ground, 0.68 + (hash / 48 % 3) * 0.03, dark));
}

FlameColor mergedFlameColor(FlameGround ground) { return fromHsl(0, 0, lightnessOf(ground, 0.7, 0.42)); }

} // namespace highwater::exports
