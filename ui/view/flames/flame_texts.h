#pragma once

#include "core/analysis/flames/flame_layout.h"
#include "ui/state/finders/flame_finder.h"

#include <QFont>
#include <QFontMetricsF>
#include <QString>
#include <QStringList>

#include <array>
#include <memory>
#include <vector>

namespace highwater::ui {

/// Texts of frames, cut to their width. Widths are measured per letter, because a screen may show thousands of frames.
/// GUI thread only.
class FlameTexts {
  public:
    FlameTexts(std::shared_ptr<const FlameAnswer> answer, const QFont& font);

    /// The complete text in one line.
    [[nodiscard]] const QString& whole(std::uint32_t node) const;
    /// Omits the module if that makes it fit; otherwise cuts the end. Empty: not enough room for a useful text.
    [[nodiscard]] QString cut(std::uint32_t node, double room) const;
    /// Facts about the box as lines, the name first.
    [[nodiscard]] QStringList facts(const analysis::FlameBox& box) const;
    /// Facts about the whole graph.
    [[nodiscard]] QString sentences() const;

  private:
    [[nodiscard]] double widthOf(QChar letter) const;
    [[nodiscard]] double widthOf(const QString& text) const;

    std::shared_ptr<const FlameAnswer> answer_;
    QFontMetricsF metrics_;
    std::array<double, 128> widths_{};
    mutable std::vector<QString> ofLabel_; ///< null: not computed yet
    mutable QString ofOther_;
};

} // namespace highwater::ui
