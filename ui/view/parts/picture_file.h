#pragma once

#include <QImage>
#include <QString>

#include <functional>

class QIODevice;

namespace highwater::ui {

/// Saves the picture in the form that the name's ending says, else as PNG. What was there under the name stays until
/// all is written. Empty: done; else the sentence why not. Blocks for as long as the disk does.
[[nodiscard]] QString savePicture(const QImage& picture, const QString& file);

/// The same of any picture. `write` returns what went wrong, or nothing.
[[nodiscard]] QString savePicture(const QString& file, const std::function<QString(QIODevice& to)>& write);

} // namespace highwater::ui
