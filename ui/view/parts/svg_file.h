#pragma once

#include <QSize>
#include <QString>

#include <functional>

class QPainter;

namespace highwater::ui {

/// SVG output, available if the build has Qt SVG (cmake/svg.cmake); each case has its own definition.
[[nodiscard]] bool canSaveSvg();

/// Saves a drawing of this size in pixels as lines and text. An existing file is replaced only after everything is
/// written. Returns an error sentence, or an empty text. Blocks during disk access. GUI thread only.
[[nodiscard]] QString saveSvg(QSize size, const QString& title, const std::function<void(QPainter& painter)>& draw,
                              const QString& file);

} // namespace highwater::ui
