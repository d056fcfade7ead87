#include "ui/view/parts/picture_dialog.h"

#include "ui/format/file_name.h"
#include "ui/format/qt_text.h"

#include <QFileDialog>
#include <QFileInfo>

namespace highwater::ui {

void askForPicture(QWidget& widget, const PictureName& name, DrawingsAre drawingsAre,
                   std::function<void(const QString& path, PictureForm form)> save) {
    const auto pictures = tr("Pictures (*.png)");
    const auto drawings = tr("Drawings (*.svg)");
    auto* dialog = new QFileDialog(widget.window(), tr("Save Graph As"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("exportDialog"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters(drawingsAre == DrawingsAre::Offered ? QStringList{pictures, drawings}
                                                               : QStringList{pictures});
    dialog->setDefaultSuffix(QStringLiteral("png"));
    dialog->selectFile(proposedFileName(name.trace, name.part, QStringLiteral("png")));
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog, drawings](const QString& filter) {
        const auto suffix = filter == drawings ? QStringLiteral("svg") : QStringLiteral("png");
        dialog->setDefaultSuffix(suffix);
        const auto chosen = dialog->selectedFiles();
        if (chosen.isEmpty()) return;
        const QFileInfo file(chosen.front());
        dialog->selectFile(file.completeBaseName() + QLatin1Char('.') + suffix);
    });
    QObject::connect(dialog, &QFileDialog::fileSelected, &widget, [save = std::move(save)](const QString& path) {
        save(path,
             path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive) ? PictureForm::Drawing : PictureForm::Pixels);
    });
    dialog->open();
}

} // namespace highwater::ui
