#pragma once

#include "core/analysis/addresses/address_map.h"
#include "ui/state/finders/finder_of.h"

#include <QColor>
#include <QImage>
#include <QObject>

#include <memory>
#include <optional>
#include <stop_token>

namespace highwater::ui {

/// From the first to the last address.
struct AddressWindow {
    Address first = 0;
    Address last = 0;
    friend bool operator==(const AddressWindow&, const AddressWindow&) = default;
};

/// Colours of pixels that are fully committed, kept or freed.
struct AddressMapColors {
    QColor committed, kept, freed;
    friend bool operator==(const AddressMapColors&, const AddressMapColors&) = default;
};

/// A picture of the addresses of a process over time.
struct AddressMapRequest {
    std::shared_ptr<const store::PublishedTrace> trace;
    analysis::AddressMapQuery query;     ///< without layout positions
    std::optional<AddressWindow> window; ///< empty: all addresses
    AddressMapColors colors;
    /// Layout of this trace and process if already known.
    std::shared_ptr<const analysis::AddressLayout> layout;
};

/// Immutable.
struct AddressMapAnswer {
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<const analysis::AddressLayout> layout;
    analysis::AddressMap map;
    QImage picture; ///< the highest address at the top; null: nothing to draw
    [[nodiscard]] bool isSample() const { return map.query.sample > 1; }
};

[[nodiscard]] Result<AddressMapAnswer> answerAddressMap(const AddressMapRequest& request, const std::stop_token& stop);
/// Returns n to draw every n-th row, so that the first picture appears quickly.
[[nodiscard]] std::uint32_t firstSampleOf(const store::PublishedTrace& trace);

/// Computes pictures on a worker and delivers the newest to the GUI thread, to which it belongs. For a large trace,
/// first draws a sample of the rows. Caches the address layout of a process.
class AddressMapFinder : public QObject {
    Q_OBJECT
  public:
    explicit AddressMapFinder(QObject* parent = nullptr);

    void ask(AddressMapRequest request, Urgency urgency);
    void cancel() { finder_.cancel(); }
    /// The trace has changed.
    void forget();
    [[nodiscard]] bool isBusy() const { return finder_.isBusy(); }

  signals:
    void busyChanged(bool busy);
    void answered(std::shared_ptr<const highwater::ui::AddressMapAnswer> answer);
    /// Not emitted for cancelled questions.
    void failed(const QString& sentence);

  private:
    void deliver(const AddressMapRequest& request, Result<AddressMapAnswer> answer);

    std::shared_ptr<const AddressMapAnswer> newest_; ///< the newest answer that covers all rows, not a sample
    FinderOf<AddressMapRequest, AddressMapAnswer> finder_;
};

} // namespace highwater::ui
