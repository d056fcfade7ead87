#pragma once

#include <QImage>
#include <QString>

#include <functional>

class QIODevice;

namespace highwater::ui {

/// Saves the picture in the format of the suffix, or as PNG. An existing file is replaced only after everything is
/// written. Returns an error sentence, or an empty text. Blocks during disk access.
[[nodiscard]] QString savePicture(const QImage& picture, const QString& file);

/// The same for any picture. `write` returns an error, or an empty text.
[[nodiscard]] QString savePicture(const QString& file, const std::function<QString(QIODevice& to)>& write);

} // namespace highwater::ui
