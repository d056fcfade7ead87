#include "ui/view/parts/picture_file.h"
#include "ui/view/parts/svg_file.h"

#include <QBuffer>
#include <QPainter>
#include <QSvgGenerator>

namespace highwater::ui {

bool canSaveSvg() { return true; }

QString saveSvg(QSize size, const QString& title, const std::function<void(QPainter& painter)>& draw,
                const QString& file) {
    // The generator closes its output device.
    QByteArray svg;
    QBuffer buffer(&svg);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(0, 0), size));
    generator.setTitle(title);
    generator.setResolution(96); // one unit per pixel
    {
        QPainter painter(&generator);
        draw(painter);
    }
    return savePicture(file,
                       [&svg](QIODevice& to) { return to.write(svg) == svg.size() ? QString() : to.errorString(); });
}

} // namespace highwater::ui
