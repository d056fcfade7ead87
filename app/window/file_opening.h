#pragma once

#include <QObject>
#include <QStringList>

class QMimeData;
class QWidget;

namespace highwater::app {

class AnalysisSettings;
class ProfileController;
class SessionController;

/// Opens files of all kinds that the window takes: hands each to the reader of its kind, and asks the user for them.
/// The window owns it. GUI thread only.
class FileOpening : public QObject {
    Q_OBJECT
  public:
    /// Of files that are not traces. All must outlive it.
    struct Readers {
        SessionController& sessions;
        ProfileController& profiles;
        AnalysisSettings& definitions; ///< of stack tags and suppressions
    };
    FileOpening(const Readers& readers, QWidget& window);

    /// False: none of them is to be shown, as of presets alone.
    bool open(const QStringList& paths);
    void ask();
    /// That are being dragged.
    [[nodiscard]] static QStringList filesOf(const QMimeData& dragged);

  signals:
    /// Several files make one trace.
    void traceWanted(const QStringList& paths);
    void fleetWanted(const QString& path);

  private:
    Readers readers_;
    QWidget& window_;
};

} // namespace highwater::app
