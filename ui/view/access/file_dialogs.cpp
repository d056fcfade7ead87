#include "ui/view/access/file_dialogs.h"

#include <QAbstractItemView>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QFileSystemModel>
#include <QItemSelectionModel>

namespace highwater::ui {
namespace {

/// Qt selects whatever the words in the field of the name lead to, letter by letter. Of a whole path that is also its
/// folder, which may stay selected beside the file, unseen, and is opened in the place of it.
void leaveOutFolders(QAbstractItemView& list) {
    auto* chosen = list.selectionModel();
    QObject::connect(chosen, &QItemSelectionModel::selectionChanged, &list, [&list, chosen] {
        const auto rows = chosen->selectedRows();
        for (const auto& row : rows) {
            const bool isSeen = row.parent() == list.rootIndex();
            if (!isSeen && QFileInfo(row.data(QFileSystemModel::FilePathRole).toString()).isDir())
                chosen->select(row, QItemSelectionModel::Deselect | QItemSelectionModel::Rows);
        }
    });
}

} // namespace

bool FileDialogs::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Polish && qobject_cast<QFileDialog*>(watched)) {
        // The system's own dialogs have no such list.
        if (auto* list = watched->findChild<QAbstractItemView*>(QStringLiteral("listView"))) leaveOutFolders(*list);
    }
    return QObject::eventFilter(watched, event);
}

} // namespace highwater::ui

#include "moc_file_dialogs.cpp"
