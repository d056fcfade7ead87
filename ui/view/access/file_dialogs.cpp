#include "ui/view/access/file_dialogs.h"

#include <QAbstractItemView>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QFileSystemModel>
#include <QItemSelectionModel>

namespace highwater::ui {
namespace {

/// While the user types a path, Qt selects the matching entries, including the folder of the path. The folder may stay
/// selected, unseen, and would be opened instead of the file.
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
        // Native dialogs do not have this list.
        if (auto* list = watched->findChild<QAbstractItemView*>(QStringLiteral("listView"))) leaveOutFolders(*list);
    }
    return QObject::eventFilter(watched, event);
}

} // namespace highwater::ui

#include "moc_file_dialogs.cpp"
