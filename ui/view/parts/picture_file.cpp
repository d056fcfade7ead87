#include "ui/view/parts/picture_file.h"

#include "core/base/text.h"
#include "core/files/output_file.h"
#include "core/log/log.h"
#include "ui/format/qt_text.h"
#include "ui/view/access/trace_guard.h"

#include <QFileInfo>
#include <QImageWriter>
#include <QSaveFile>

namespace highwater::ui {

QString savePicture(const QImage& picture, const QString& file) {
    return savePicture(file, [&](QIODevice& to) {
        const auto ending = QFileInfo(file).suffix().toLower().toLatin1();
        QImageWriter writer(&to, QImageWriter::supportedImageFormats().contains(ending) ? ending : QByteArray("png"));
        return writer.write(picture) ? QString() : writer.errorString();
    });
}

QString savePicture(const QString& file, const std::function<QString(QIODevice& to)>& write) {
    if (const auto why = traceOverwriteRefusal(file); !why.isEmpty()) return why;
    const auto place = OutputFile::placeFor(toPath(file));
    if (!place.hasValue()) return toQString(place.error().message);
    const auto problem = [&file](const QString& why) {
        return tr("The picture cannot be saved as %1: %2.").arg(file, why);
    };
    QSaveFile out(toQString(utf8(place.value())));
    if (!out.open(QIODevice::WriteOnly)) return problem(out.errorString());
    if (const auto why = write(out); !why.isEmpty()) return problem(why);
    if (!out.commit()) return problem(out.errorString());
    log(LogLevel::Information, LogArea::Save, "A picture was saved as " + utf8(place.value()) + ".");
    return {};
}

} // namespace highwater::ui
