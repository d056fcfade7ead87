#pragma once

#include <QString>

#include <cstdint>
#include <functional>

class QWidget;

namespace highwater::ui {

/// Subject of a picture, from which the file name is made.
struct PictureName {
    QString trace;
    QString part;
};
enum class PictureForm : std::uint8_t { Pixels, Drawing };
/// Whether SVG drawings are available.
enum class DrawingsAre : std::uint8_t { Offered, Missing };

/// Asks for the file and format of a picture, then calls save(path, form) according to the suffix. Returns immediately.
/// GUI thread only.
void askForPicture(QWidget& widget, const PictureName& name, DrawingsAre drawings,
                   std::function<void(const QString& path, PictureForm form)> save);

} // namespace highwater::ui
