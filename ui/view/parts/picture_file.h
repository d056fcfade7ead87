#pragma once

#include <QImage>
#include <QString>

namespace highwater::ui {

/// Saves the picture in the form that the name's ending says, else as PNG. What was there under the name stays until
/// all is written. Empty: done; else the sentence why not. Blocks for as long as the disk does.
[[nodiscard]] QString savePicture(const QImage& picture, const QString& file);

} // namespace highwater::ui
