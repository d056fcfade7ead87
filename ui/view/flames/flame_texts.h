#pragma once

#include "ui/state/finders/flame_finder.h"

#include <QFont>
#include <QFontMetricsF>
#include <QString>
#include <QStringList>

#include <array>
#include <memory>
#include <vector>

namespace highwater::ui {

/// What frames are called, cut to the room that they have: measured letter by letter, as there may be thousands on a
/// screen. GUI thread only.
class FlameTexts {
  public:
    FlameTexts(std::shared_ptr<const FlameAnswer> answer, const QFont& font);

    /// In one line, whole.
    [[nodiscard]] const QString& whole(std::uint32_t node) const;
    /// Without its module, if that makes it fit; else the end goes. Empty: there is no room for anything that says more
    /// than its colour.
    [[nodiscard]] QString cut(std::uint32_t node, double room) const;
    /// What the box holds, in lines, the name first.
    [[nodiscard]] QStringList facts(const analysis::FlameBox& box) const;
    /// What is to be known of the whole graph.
    [[nodiscard]] QString sentences() const;

  private:
    [[nodiscard]] double widthOf(QChar letter) const;
    [[nodiscard]] double widthOf(const QString& text) const;

    std::shared_ptr<const FlameAnswer> answer_;
    QFontMetricsF metrics_;
    std::array<double, 128> widths_{};
    mutable std::vector<QString> ofLabel_; ///< null: not made yet
    mutable QString ofOther_;
};

} // namespace highwater::ui
