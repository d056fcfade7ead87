#pragma once

#include <QString>

#include <cstdint>
#include <functional>

class QWidget;

namespace highwater::ui {

/// What a picture is of: the file's name is made of it.
struct PictureName {
    QString trace;
    QString part;
};
enum class PictureForm : std::uint8_t { Pixels, Drawing };
/// Whether there are drawings (SVG), too.
enum class DrawingsAre : std::uint8_t { Offered, Missing };

/// Asks where a picture of the widget goes, and as what; then save(path, form), as the name's ending says. Returns
/// at once. GUI thread only.
void askForPicture(QWidget& widget, const PictureName& name, DrawingsAre drawings,
                   std::function<void(const QString& path, PictureForm form)> save);

} // namespace highwater::ui
