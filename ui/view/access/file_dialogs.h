#pragma once

#include <QObject>

namespace highwater::ui {

/// Lets file dialogs open a typed path, even in the folder that they show. An event filter of the application. GUI
/// thread only.
class FileDialogs : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace highwater::ui
