#include "ui/theme/theme_colors.h"

#include "ui/theme/contrast.h"

#include <tuple>
#include <type_traits>

namespace highwater::ui {
namespace {

constexpr ThemeColors kLightColors{
    .window = 0xFFF3F3F3,
    .base = 0xFFFFFFFF,
    .alternate = 0xFFF7F7F7,
    .button = 0xFFEBEBEB,
    .text = 0xFF1B1B1B,
    .quiet = 0xFF6A6A6A,
    .accent = 0xFF2A6FC4,
    .onAccent = 0xFFFFFFFF,
    .link = 0xFF0B5CAD,
    .light = 0xFFFFFFFF,
    .midlight = 0xFFDFDFDF,
    .mid = 0xFFB8B8B8,
    .dark = 0xFF9F9F9F,
    .series = {0xFF0072B2, 0xFFBA7E00, 0xFF009E73, 0xFFD55E00, 0xFFBF719B, 0xFF4193BF, 0xFF958C27},
    .highlight = 0xFFB08500,
    .lost = 0xFFD55E00,
    .grew = 0xFFD63C3C,
    .shrank = 0xFF3C6EDC,
    .found = 0xFFD88AF5,
    .gold = 0xFFB07A00,
    .blue = 0xFF2A6FC4,
    .refusal = 0xFFC02A20,
    .mistake = 0xFFD00000,
    .recording = 0xFFC8281E,
    .amberPercent = 35,
    .outlineSource = 0xFFC4C4C4};

constexpr ThemeColors kDarkColors{
    .window = 0xFF2B2B2B,
    .base = 0xFF1E1E1E,
    .alternate = 0xFF252525,
    .button = 0xFF383838,
    .text = 0xFFE4E4E4,
    .quiet = 0xFFA0A0A0,
    .accent = 0xFF3676BE,
    .onAccent = 0xFFFFFFFF,
    .link = 0xFF8CC4FF,
    .light = 0xFF4A4A4A,
    .midlight = 0xFF404040,
    .mid = 0xFF202020,
    .dark = 0xFF1A1A1A,
    .series = {0xFF00ABFF, 0xFFE69F00, 0xFF00EDAC, 0xFFD55E00, 0xFFCC79A7, 0xFF56B4E9, 0xFFF0E442},
    .highlight = 0xFFF0B400,
    .lost = 0xFFD55E00,
    .grew = 0xFFD63C3C,
    .shrank = 0xFF4A7CE6,
    .found = 0xFF8E3CB0,
    .gold = 0xFFF2C14E,
    .blue = 0xFF6BA6FF,
    .refusal = 0xFFFF7A70,
    .mistake = 0xFFFF6B6B,
    .recording = 0xFFF05A50,
    .amberPercent = 20,
    .outlineSource = 0xFFC4C4C4};

constexpr ThemeColors kHighContrastColors{
    .window = 0xFF000000,
    .base = 0xFF000000,
    .alternate = 0xFF000000,
    .button = 0xFF000000,
    .text = 0xFFFFFFFF,
    .quiet = 0xFFC8C8C8,
    .accent = 0xFF1AEBFF,
    .onAccent = 0xFF000000,
    .link = 0xFFFFFF00,
    .light = 0xFFFFFFFF,
    .midlight = 0xFF6E6E6E,
    .mid = 0xFFB8B8B8,
    .dark = 0xFFFFFFFF,
    .series = {0xFF33C1FF, 0xFFFFB000, 0xFF00F0B0, 0xFFFF7A1A, 0xFFFF9AD2, 0xFFA6D8FF, 0xFFFFF45C},
    .highlight = 0xFFFFD000,
    .lost = 0xFFFF7A1A,
    .grew = 0xFFFF5050,
    .shrank = 0xFF6FA8FF,
    .found = 0xFF8E3CB0,
    .gold = 0xFFFFD54A,
    .blue = 0xFF6BB5FF,
    .refusal = 0xFFFF8A80,
    .mistake = 0xFFFF6B6B,
    .recording = 0xFFFF6B60,
    .amberPercent = 20,
    .outlineSource = 0xFFFFFFFF};

constexpr int kHalf = 128;
/// Black on white is 21. Only high-contrast themes come close.
constexpr double kVeryHigh = 20;

} // namespace

const ThemeColors& themeColors(Ground ground) {
    if (ground == Ground::Light) return kLightColors;
    return ground == Ground::Dark ? kDarkColors : kHighContrastColors;
}

Ground groundOf(const QPalette& palette) {
    const auto base = palette.color(QPalette::Active, QPalette::Base);
    if (base.lightness() >= kHalf) return Ground::Light;
    const bool isHigh = contrast(palette.color(QPalette::Active, QPalette::Text), base) >= kVeryHigh;
    return isHigh ? Ground::HighContrast : Ground::Dark;
}

const ThemeColors& themeColors(const QPalette& palette) { return themeColors(groundOf(palette)); }

QPalette paletteOf(Ground ground) {
    const auto& colors = themeColors(ground);
    QPalette palette;
    const auto set = [&](std::initializer_list<QPalette::ColorRole> roles, QRgb color) {
        for (const auto role : roles)
            palette.setColor(role, QColor::fromRgb(color));
    };
    set({QPalette::Window}, colors.window);
    set({QPalette::Base}, colors.base);
    set({QPalette::AlternateBase}, colors.alternate);
    set({QPalette::Button, QPalette::ToolTipBase}, colors.button);
    set({QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText}, colors.text);
    set({QPalette::PlaceholderText}, colors.quiet);
    set({QPalette::Highlight}, colors.accent);
    set({QPalette::HighlightedText, QPalette::BrightText}, colors.onAccent);
    set({QPalette::Link, QPalette::LinkVisited}, colors.link);
    set({QPalette::Light}, colors.light);
    set({QPalette::Midlight}, colors.midlight);
    set({QPalette::Mid}, colors.mid);
    set({QPalette::Dark, QPalette::Shadow}, colors.dark);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, QColor::fromRgb(colors.quiet));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, QColor::fromRgb(colors.midlight));
    return palette;
}

/// High-contrast colours have full brightness, so that darker variants still contrast with black.
QColor seriesColor(const QPalette& palette, std::size_t place) {
    const auto& series = themeColors(palette).series;
    static_assert(kSeriesColors == 4 * std::tuple_size_v<std::remove_cvref_t<decltype(series)>>);
    const auto color = QColor::fromRgb(series[place % series.size()]);
    const auto round = place / series.size();
    const auto ground = groundOf(palette);
    const bool isLighter = ground == Ground::Dark;
    const auto away = [&](int percent) { return isLighter ? color.lighter(percent) : color.darker(percent); };
    if (round == 0) return color;
    if (round == 1) return away(165);
    int hue = 0, saturation = 0, lightness = 0;
    away(ground == Ground::Light ? 140 : 125).getHsl(&hue, &saturation, &lightness);
    if (round == 2) return QColor::fromHsl((hue + 28) % 360, saturation, lightness);
    return QColor::fromHsl((hue + 345) % 360, saturation * 2 / 5, lightness);
}

QColor amberGround(const QPalette& palette) {
    QColor amber(0xFF, 0xB0, 0x00);
    amber.setAlphaF(static_cast<float>(themeColors(palette).amberPercent) / 100);
    return blended(amber, palette.color(QPalette::Window));
}

QColor mistakeGround() { return {0xE0, 0x20, 0x20, 0x50}; }

QColor tileColor(quint64 number) {
    constexpr int kSaturation = 110, kValue = 112;
    return QColor::fromHsv(static_cast<int>(number % 360), kSaturation, kValue);
}

} // namespace highwater::ui
