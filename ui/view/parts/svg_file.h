#pragma once

#include <QSize>
#include <QString>

#include <functional>

class QPainter;

namespace highwater::ui {

/// Drawings as SVG. The build has it if Qt SVG is there (cmake/svg.cmake): there is one definition for each case.
[[nodiscard]] bool canSaveSvg();

/// Saves what is drawn, in lines and letters, of this size in pixels. What was there under the name stays until all is
/// written. Empty: done; else the sentence why not. Blocks for as long as the disk does. GUI thread only.
[[nodiscard]] QString saveSvg(QSize size, const QString& title, const std::function<void(QPainter& painter)>& draw,
                              const QString& file);

} // namespace highwater::ui
