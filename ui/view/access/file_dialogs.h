#pragma once

#include <QObject>

namespace highwater::ui {

/// Lets all file dialogs of the program open a whole path that is typed, also of the folder that they show. An event
/// filter of the application. GUI thread only.
class FileDialogs : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace highwater::ui
